//! For tests: futures that never really wait.

use core::future::Future;
use core::pin::pin;
use core::task::{Context, Poll, Waker};

/// What a future comes to that nothing ever keeps waiting.
pub(super) fn finished<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits for something that never comes"),
    }
}
