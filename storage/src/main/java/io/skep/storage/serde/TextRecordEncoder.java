package io.skep.storage.serde;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.storage.table.TableLayout;
import io.skep.storage.text.TextFileFormat;
import java.time.ZoneId;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.JobConf;

/** Makes a line of text of each row, by the SerDe of a format. Owned by one thread. */
public final class TextRecordEncoder {
    private final String serdeName;
    private final SerdeRows records;

    /**
     * @param rows the columns of the rows, and their format
     * @param zone the time zone for texts of type timestamp with local time zone
     */
    public TextRecordEncoder(TableLayout rows, ZoneId zone) {
        this.serdeName = rows.format().serde();
        AbstractSerDe serde = SerdeClasses.serde(
                rows.format(), SerdeClasses.properties(rows.format(), rows.dataColumns()), new JobConf(false));
        this.records = new SerdeRows(serde, rows.dataColumns(), zone);
    }

    /** Sets the batch whose rows {@link #encode} takes. */
    public void start(Batch batch) {
        records.start(batch);
    }

    /**
     * Returns a row of the batch as a text without the end of the line. It is valid until the next call.
     *
     * @throws SkepException INVALID_ARGUMENT when the SerDe does not take the row, NOT_SUPPORTED when it makes no text
     */
    public Text encode(int row) {
        Writable record;
        try {
            record = records.record(row);
        } catch (SerDeException | RuntimeException e) {
            throw e instanceof SkepException skep
                    ? skep
                    : new SkepException(
                            StandardErrorCode.INVALID_ARGUMENT,
                            "SerDe " + serdeName + " cannot write a row: " + e.getMessage(),
                            e);
        }
        if (record instanceof Text text) {
            return text;
        }
        throw new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "SerDe " + serdeName + " makes " + record.getClass().getSimpleName() + ", not lines of text")
                .withHint("use a SerDe of text, such as " + TextFileFormat.LAZY_SIMPLE_SERDE);
    }

    /** Releases the batch. */
    public void finish() {
        records.finish();
    }
}
