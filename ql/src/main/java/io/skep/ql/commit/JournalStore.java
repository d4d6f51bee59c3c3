package io.skep.ql.commit;

/** Stores the journal of one commit, and knows whether this server may still carry the commit out. */
interface JournalStore {
    /** Persists a journal. It replaces an earlier journal of the same commit. */
    void write(CommitJournal journal);

    /** Deletes the journal, since the commit is over. */
    void delete(String name);

    /** Deletes a journal whose write has failed. Returns false when the journal may reappear. */
    boolean tryWithdraw(String name);

    /** Fails when another server may have taken the commit over. */
    void check();

    /** Keeps the journal of a drop whose files cannot be deleted at present, and releases the table. */
    void leave(CommitJournal journal);

    /** Whether other servers can find the journal, and end the commit when this server does not. */
    boolean isShared();

    /** A store in the database that servers share, together with the lease on the tables. */
    record Leased(TableLease lease) implements JournalStore {
        @Override
        public void write(CommitJournal journal) {
            lease.write(journal);
        }

        @Override
        public void delete(String name) {
            lease.settle();
        }

        @Override
        public void leave(CommitJournal journal) {
            lease.leave();
        }

        /** Other servers may have seen it. */
        @Override
        public boolean tryWithdraw(String name) {
            return false;
        }

        @Override
        public void check() {
            lease.check();
        }

        @Override
        public boolean isShared() {
            return true;
        }
    }

    /**
     * A store on this server's disk.
     *
     * @param fence fails when another server may do the work that this server was about to do
     */
    record Local(LocalJournals journals, Runnable fence) implements JournalStore {
        /** Creates the store for work that no other server may do. */
        static Local alone(LocalJournals journals) {
            return new Local(journals, () -> {});
        }

        @Override
        public void write(CommitJournal journal) {
            journals.write(journal);
        }

        @Override
        public void delete(String name) {
            journals.delete(name);
        }

        /** The journal stays on the disk. There is no lease to release. */
        @Override
        public void leave(CommitJournal journal) {}

        @Override
        public boolean tryWithdraw(String name) {
            return journals.withdrawn(name);
        }

        @Override
        public void check() {
            fence.run();
        }

        @Override
        public boolean isShared() {
            return false;
        }
    }
}
