package io.skep.metastore;

/** Tests the behavior of every catalog, on every database, cached or not. */
interface CatalogContract
        extends DatabaseContract,
                TableContract,
                MaterializedViewContract,
                PartitionContract,
                SkewContract,
                StatisticsContract,
                ConstraintContract,
                ConcurrencyContract {}
