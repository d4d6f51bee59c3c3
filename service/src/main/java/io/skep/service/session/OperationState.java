package io.skep.service.session;

/** Where an operation stands. */
public enum OperationState {
    PENDING,
    RUNNING,
    FINISHED,
    FAILED,
    CANCELED,
    CLOSED;

    public boolean isTerminal() {
        return this != PENDING && this != RUNNING;
    }
}
