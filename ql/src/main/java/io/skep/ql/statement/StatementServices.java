package io.skep.ql.statement;

import io.skep.metastore.Catalog;
import io.skep.metastore.connector.DataConnectorStore;
import io.skep.metastore.privilege.PrivilegeStore;
import io.skep.metastore.schedule.ScheduledQueryStore;
import io.skep.ql.commit.TableCommits;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.execution.QueryRuns;
import io.skep.ql.execution.RunningStatements;
import io.skep.ql.external.ExternalReads;
import io.skep.ql.handler.HandlerReads;
import io.skep.ql.optimize.AlgebraMetadata;
import io.skep.ql.path.PathPolicy;
import io.skep.ql.physical.PartitionColumns;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.reuse.PlanCache;
import io.skep.ql.system.SystemReads;
import io.skep.ql.transaction.StatementTransactions;
import java.time.InstantSource;

/**
 * The services that all statements of a server share.
 *
 * @param partitions the cache of the catalog's partitions that pruning uses
 * @param plans cached plans of queries that were compiled before
 * @param paths the policy for paths that statements may name
 * @param warehouse default location of databases and tables, absolute with scheme
 * @param transactions begins the transactions of statements that use transactional tables
 * @param external makes splits for readers outside of the server
 * @param running the statements of all sessions, for those that end others
 * @param schedules the scheduled queries of the metastore
 * @param connectors the data connectors of the metastore
 * @param system reads system tables
 * @param handlers reads tables of storage handlers
 */
public record StatementServices(
        Catalog catalog,
        PrivilegeStore privileges,
        PartitionColumns partitions,
        PlanCache plans,
        QueryRuns runs,
        TableFiles files,
        TableCommits commits,
        AlgebraMetadata metadata,
        PlanningLimits limits,
        PathPolicy paths,
        String warehouse,
        InstantSource clock,
        StatementTransactions transactions,
        ExternalReads external,
        RunningStatements running,
        ScheduledQueryStore schedules,
        DataConnectorStore connectors,
        SystemReads system,
        HandlerReads handlers) {}
