package io.skep.reader;

import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * What a server answers about a query for readers.
 *
 * @param schema the columns of the rows, also when there are none
 * @param splits the parts of the rows, in any order
 */
public record QuerySplits(Schema schema, List<ExternalSplit> splits) {
    public QuerySplits {
        splits = List.copyOf(splits);
    }

    /**
     * Returns the statement that asks for splits. Each of its rows has a type and a split.
     *
     * @param count the largest number of splits with rows; 0 for the schema only
     */
    public static String statement(String query, int count) {
        return "select get_llap_splits('" + query.replace("\\", "\\\\").replace("'", "\\'") + "', " + count + ")";
    }

    /**
     * Returns the answer to the statement. Some of its splits have the schema only.
     *
     * @throws ReadException DAMAGED_MESSAGE when there is no split
     */
    public static QuerySplits of(List<ExternalSplit> rows) {
        if (rows.isEmpty()) {
            throw new ReadException(
                    ReadErrorCode.DAMAGED_MESSAGE, "the server has not said which columns the query has");
        }
        return new QuerySplits(
                rows.get(0).arrowSchema(),
                rows.stream().filter(split -> split.ticket().length > 0).toList());
    }
}
