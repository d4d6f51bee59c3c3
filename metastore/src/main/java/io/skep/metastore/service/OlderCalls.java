package io.skep.metastore.service;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hive.metastore.HiveMetaStore;
import org.apache.hadoop.hive.metastore.api.AlreadyExistsException;
import org.apache.hadoop.hive.metastore.api.GetTableRequest;
import org.apache.hadoop.hive.metastore.api.GetTablesRequest;
import org.apache.hadoop.hive.metastore.api.InvalidObjectException;
import org.apache.hadoop.hive.metastore.api.InvalidOperationException;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.api.ThriftHiveMetastore.Iface;
import org.apache.hadoop.hive.metastore.api.ThriftHiveMetastore.get_all_materialized_view_objects_for_rewriting_result;
import org.apache.hadoop.hive.metastore.api.ThriftHiveMetastore.get_fields_args;
import org.apache.hadoop.hive.metastore.api.ThriftHiveMetastore.set_ugi_args;
import org.apache.hadoop.hive.metastore.api.ThriftHiveMetastore.translate_table_dryrun_result;
import org.apache.hadoop.hive.metastore.api.UnknownDBException;
import org.apache.thrift.ProcessFunction;
import org.apache.thrift.TBase;
import org.apache.thrift.TBaseProcessor;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessorFactory;
import org.apache.thrift.server.TServer;
import org.jspecify.annotations.NullUnmarked;

/**
 * Two calls that clients of Hive 2 use, such as the one that is built into Spark. Hive 4's service does not have them.
 * They answer as the calls that have replaced them.
 *
 * <p>Their arguments and results are read and written by structures of other calls that are equal in Thrift's encoding:
 * the same numbers and types of fields. All errors consist of one text, whatever their type.
 *
 * <p>Hive's class has no place for further calls. They are added to the private table of its processor, which has room
 * for them, so that calls under way are not disturbed.
 */
@NullUnmarked
final class OlderCalls {
    private OlderCalls() {}

    /**
     * Adds the calls to the service of this process, which has started.
     *
     * @throws ReflectiveOperationException when the library is another one than this class is written for
     */
    static void add() throws ReflectiveOperationException {
        Object service = read(HiveMetaStore.class, "thriftServer", null);
        Object server = read(service.getClass(), "val$tServer", service);
        TProcessorFactory factory = (TProcessorFactory) read(TServer.class, "processorFactory_", server);
        Object calls = read(TBaseProcessor.class, "processMap", factory.getProcessor(null));
        @SuppressWarnings("unchecked")
        Map<String, ProcessFunction<Iface, ? extends TBase<?, ?>>> table =
                (Map<String, ProcessFunction<Iface, ? extends TBase<?, ?>>>) calls;
        for (ProcessFunction<Iface, ? extends TBase<?, ?>> call : List.of(new GetTable(), new GetTables())) {
            table.putIfAbsent(call.getMethodName(), call);
        }
    }

    private static Object read(Class<?> type, String name, Object of) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        Object value = field.get(of);
        if (value == null) {
            throw new NoSuchFieldException(type.getName() + "." + name + " is not set");
        }
        return value;
    }

    /** Arguments: database and table. Result: the table; errors of the metastore; no such table. */
    private static final class GetTable extends ProcessFunction<Iface, get_fields_args> {
        GetTable() {
            super("get_table");
        }

        @Override
        protected boolean isOneway() {
            return false;
        }

        @Override
        public get_fields_args getEmptyArgsInstance() {
            return new get_fields_args();
        }

        @Override
        public translate_table_dryrun_result getResult(Iface service, get_fields_args asked) throws TException {
            translate_table_dryrun_result result = new translate_table_dryrun_result();
            try {
                GetTableRequest request = new GetTableRequest(asked.getDb_name(), asked.getTable_name());
                result.setSuccess(service.get_table_req(request).getTable());
            } catch (MetaException e) {
                result.setO1(new AlreadyExistsException(e.getMessage()));
            } catch (NoSuchObjectException e) {
                result.setO2(new InvalidObjectException(e.getMessage()));
            }
            return result;
        }
    }

    /** Arguments: database and names of tables. Result: those that exist; errors of the metastore. */
    private static final class GetTables extends ProcessFunction<Iface, set_ugi_args> {
        GetTables() {
            super("get_table_objects_by_name");
        }

        @Override
        protected boolean isOneway() {
            return false;
        }

        @Override
        public set_ugi_args getEmptyArgsInstance() {
            return new set_ugi_args();
        }

        @Override
        public get_all_materialized_view_objects_for_rewriting_result getResult(Iface service, set_ugi_args asked)
                throws TException {
            var result = new get_all_materialized_view_objects_for_rewriting_result();
            GetTablesRequest request = new GetTablesRequest(asked.getUser_name());
            request.setTblNames(asked.getGroup_names());
            try {
                result.setSuccess(service.get_table_objects_by_name_req(request).getTables());
            } catch (MetaException e) {
                result.setO1(e);
            } catch (InvalidOperationException | UnknownDBException e) {
                result.setO1(new MetaException(e.getMessage()));
            }
            return result;
        }
    }
}
