package io.skep.storage.format;

import io.skep.storage.table.TableFormat;

/**
 * A format whose files store each column apart and describe their own columns. Any of its files may be read in several
 * splits, and no property of a table changes how they are read.
 */
public interface ColumnarFileFormat extends FileFormat {
    @Override
    default boolean selfDescribing() {
        return true;
    }

    @Override
    default Splitting splitting() {
        return Splitting.ALWAYS;
    }

    @Override
    default LayoutProperties layoutProperties(TableFormat format) {
        return LayoutProperties.NONE;
    }

    @Override
    default boolean decodesColumnsAlone(TableFormat format) {
        return true;
    }
}
