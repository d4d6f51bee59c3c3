package io.skep.metastore;

/** What every catalog does, on every database, cached or not. */
interface CatalogContract
        extends DatabaseContract,
                TableContract,
                PartitionContract,
                StatisticsContract,
                ConstraintContract,
                ConcurrencyContract {}
