package io.skep.ql.commit;

/** Where the journal of one commit is kept, and what says that this server may still carry it out. */
interface JournalStore {
    /** Persists a journal; one of the same commit is replaced. */
    void write(CommitJournal journal);

    /** The commit is over. */
    void delete(String name);

    /** Takes back a journal whose writing has failed; false when it may come back. */
    boolean withdrawn(String name);

    /** Fails when another server may have taken the commit over. */
    void check();

    /** Keeps the journal of a drop whose files cannot be deleted now, and frees the table. */
    void leave(CommitJournal journal);

    /** Whether other servers find the journal, and end the commit when this one does not. */
    boolean isShared();

    /** In the database that servers share, with the lease on the tables. */
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

        /** Others may have seen it. */
        @Override
        public boolean withdrawn(String name) {
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
     * On this server's disk.
     *
     * @param fence fails when another server may do what this one was to do
     */
    record Local(LocalJournals journals, Runnable fence) implements JournalStore {
        /** Of what no other server may do. */
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

        /** The journal stays on the disk. There is no lease to give back. */
        @Override
        public void leave(CommitJournal journal) {}

        @Override
        public boolean withdrawn(String name) {
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
