package io.skep.pig;

import io.skep.mapred.InputSettings;
import io.skep.mapred.LlapRow;
import io.skep.mapred.LlapSplits;
import io.skep.mapred.RowSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.pig.Expression;
import org.apache.pig.LoadFunc;
import org.apache.pig.LoadMetadata;
import org.apache.pig.LoadPushDown;
import org.apache.pig.ResourceSchema;
import org.apache.pig.ResourceStatistics;
import org.apache.pig.backend.hadoop.executionengine.mapReduceLayer.PigSplit;
import org.apache.pig.data.Tuple;
import org.apache.pig.data.TupleFactory;
import org.apache.pig.impl.util.UDFContext;
import org.jspecify.annotations.Nullable;

/**
 * Loads the rows of a query, as the user may see them: {@code LOAD 'sales' USING io.skep.pig.SkepLoader('select ...')}.
 * The location is the current database. The server is that of the property {@code llap.if.hs2.connection}, or of a
 * first argument; {@code llap.if.user} and {@code llap.if.pwd} log in. Only the columns that the script uses are read.
 */
public final class SkepLoader extends LoadFunc implements LoadMetadata, LoadPushDown {
    /** The query over the required columns, from the front end to the tasks. */
    private static final String PROJECTED = "skep.pig.projected-query";

    /** The names of the query's columns. */
    private static final String COLUMNS = "skep.pig.columns";

    private static final String SEPARATOR = "\n";

    private final @Nullable String url;
    private final String query;
    private @Nullable String signature;
    private @Nullable RowSchema schema;
    private @Nullable RecordReader<?, LlapRow> reader;

    public SkepLoader(String query) {
        this.url = null;
        this.query = query;
    }

    /** @param url of the server, as in {@link InputSettings#URL} */
    public SkepLoader(String url, String query) {
        this.url = url;
        this.query = query;
    }

    @Override
    public void setUDFContextSignature(String signature) {
        this.signature = signature;
    }

    private Properties properties() {
        return UDFContext.getUDFContext().getUDFProperties(SkepLoader.class, new String[] {String.valueOf(signature)});
    }

    /** The location is no path. */
    @Override
    public String relativeToAbsolutePath(String location, Path folder) {
        return location;
    }

    @Override
    public void setLocation(String location, Job job) {
        set(location, job.getConfiguration(), properties().getProperty(PROJECTED, query));
    }

    private void set(String database, Configuration job, String text) {
        if (url != null) {
            job.set(InputSettings.URL, url);
        }
        job.set(InputSettings.DATABASE, database);
        job.set(InputSettings.QUERY, text);
    }

    @Override
    public InputFormat<?, LlapRow> getInputFormat() {
        return new QueryInputFormat();
    }

    @Override
    @SuppressWarnings("unchecked") // the reader of the input format
    public void prepareToRead(@SuppressWarnings("rawtypes") RecordReader reader, PigSplit split) {
        this.reader = reader;
    }

    @Override
    public @Nullable Tuple getNext() throws IOException {
        RecordReader<?, LlapRow> rows = reader;
        if (rows == null) {
            throw new IOException("the loader was not prepared to read");
        }
        try {
            if (!rows.nextKeyValue()) {
                return null;
            }
            LlapRow row = rows.getCurrentValue();
            List<@Nullable Object> values = new ArrayList<>();
            for (int i = 0; i < row.schema().names().size(); i++) {
                values.add(PigTypes.value(row.schema().arrow().getFields().get(i), row.value(i)));
            }
            return TupleFactory.getInstance().newTupleNoCopy(values);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public ResourceSchema getSchema(String location, Job job) throws IOException {
        return PigTypes.schema(columns(location, job.getConfiguration()));
    }

    /** Asks the server for the columns of the query. */
    private RowSchema columns(String location, Configuration job) throws IOException {
        RowSchema known = schema;
        if (known == null) {
            Configuration own = new Configuration(job);
            set(location, own, query);
            known = LlapSplits.schema(InputSettings.of(own));
            schema = known;
            properties().setProperty(COLUMNS, String.join(SEPARATOR, known.names()));
        }
        return known;
    }

    @Override
    public List<OperatorSet> getFeatures() {
        return List.of(OperatorSet.PROJECTION);
    }

    @Override
    public RequiredFieldResponse pushProjection(RequiredFieldList required) {
        String columns = properties().getProperty(COLUMNS);
        if (columns == null
                || required.getFields() == null
                || required.getFields().isEmpty()) {
            return new RequiredFieldResponse(false);
        }
        List<String> names = Arrays.asList(columns.split(SEPARATOR, -1));
        if (new HashSet<>(names).size() < names.size()) {
            // A query over it could not say which column is meant.
            return new RequiredFieldResponse(false);
        }
        properties()
                .setProperty(
                        PROJECTED,
                        required.getFields().stream()
                                .map(field -> "`" + names.get(field.getIndex()).replace("`", "``") + "`")
                                .collect(Collectors.joining(", ", "select ", " from (" + query + "\n) q")));
        return new RequiredFieldResponse(true);
    }

    /** The server knows statistics of tables, not of queries. */
    @Override
    public @Nullable ResourceStatistics getStatistics(String location, Job job) {
        return null;
    }

    /** Queries have no partitions. */
    @Override
    public String @Nullable [] getPartitionKeys(String location, Job job) {
        return null;
    }

    @Override
    public void setPartitionFilter(Expression filter) {
        throw new UnsupportedOperationException("a query has no partitions");
    }
}
