"""A model of the chips of the Nucleo boards, which executes the firmware images unchanged."""
