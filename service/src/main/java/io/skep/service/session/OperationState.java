package io.skep.service.session;

/** Where an operation stands. */
public enum OperationState {
    PENDING,
    RUNNING,
    /** Its first rows, if any, can be read; more may still be made. */
    FINISHED,
    FAILED,
    CANCELED,
    TIMED_OUT,
    CLOSED;

    public boolean isTerminal() {
        return this != PENDING && this != RUNNING;
    }
}
