package io.skep.spark;

/** What is read: the rows of a table or view, or those of a query. */
sealed interface Source {
    /** Returns what stands after FROM. */
    String from();

    /** Returns a short name for plans. */
    String label();

    record OfTable(TableName name) implements Source {
        @Override
        public String from() {
            return name.sql();
        }

        @Override
        public String label() {
            return name.toString();
        }
    }

    /** @param text a query of the user's own */
    record OfQuery(String text) implements Source {
        @Override
        public String from() {
            return "(" + text + "\n) skep_query";
        }

        @Override
        public String label() {
            return "query";
        }
    }
}
