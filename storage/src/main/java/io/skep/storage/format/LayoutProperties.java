package io.skep.storage.format;

/** On which of a table's properties it depends how its files are read. */
public enum LayoutProperties {
    /** Files describe their own layout; the properties are for writers. */
    NONE,
    /** Those that Hive's own SerDes and input formats look for. */
    HIVE,
    /** All, since it is unknown which ones a foreign class looks for. */
    ALL
}
