package io.skep.storage.orc;

import io.skep.common.vector.Batch;
import java.util.Optional;
import java.util.Properties;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.orc.OrcFile;
import org.apache.orc.TypeDescription;

/** How the rows of batches become the rows of an ORC file. Belongs to the writer of one file. */
sealed interface OrcRows permits TableRows, AcidEvents, MergedEvents {
    TypeDescription schema();

    /** Changes properties of the table that refer to the file's schema. */
    void adapt(Properties properties);

    /** Returns what adds to the file's metadata. */
    Optional<OrcFile.WriterCallback> callback();

    /** Fills the vectors of the schema's fields with all rows of a batch. The vectors were reset before. */
    void fill(Batch batch, ColumnVector[] target);
}
