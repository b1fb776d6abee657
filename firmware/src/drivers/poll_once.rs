//! Test helper: runs a future that is ready at its first poll.

use core::future::Future;
use core::pin::pin;
use core::task::{Context, Poll, Waker};

pub(super) fn poll_once<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future is pending"),
    }
}
