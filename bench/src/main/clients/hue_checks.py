"""HUE's own client of HiveServer2, as HUE calls it; prints a line for each check.

The client's module and its Thrift classes come from a checkout of HUE. It runs without Django and HUE's settings: their
modules are placeholders here, with HUE's default of each setting that the client asks for, and a session is kept in memory
instead of in HUE's database.
"""

import base64
import functools
import importlib.util
import pathlib
import sys
import time
import traceback
import types
from unittest import mock

from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.transport import THttpClient, TSocket
from thrift_sasl import TSaslClientTransport

PORT, TRANSPORT, HUE = int(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
CHECKS = []


class Table:
    pass


class DataTable:
    pass


class QueryServerException(Exception):
    def __init__(self, cause, message=""):
        super().__init__(message or str(cause))


class InvalidSessionQueryServerException(Exception):
    pass


class Session:
    """What the client keeps about a session of HiveServer2."""

    current = None

    def __init__(self, handle):
        self.handle = handle
        self.id = 1
        self.status_code = 0

    def get_handle(self):
        return self.handle

    def get_cookies(self):
        return {}

    def set_cookies(self, cookies):
        pass

    def save(self):
        pass

    def get_properties(self):
        return {}

    class objects:
        @staticmethod
        def get_session(user, application):
            return Session.current

        @staticmethod
        def create(guid, secret, **others):
            identifier = client_module.ttypes.THandleIdentifier(guid=guid, secret=secret)
            Session.current = Session(client_module.ttypes.TSessionHandle(sessionId=identifier))
            return Session.current


class QueryHandle:
    """The handle of an operation; the client reads guid and secret of sessions back with it."""

    def __init__(self, secret, guid, operation_type=None, has_result_set=None, modified_row_count=None, **others):
        self.secret, self.guid = secret, guid
        self.operation_type, self.has_result_set, self.modified_row_count = operation_type, has_result_set, modified_row_count

    def get(self):
        return self.secret, self.guid

    def get_rpc_handle(self):
        ttypes = client_module.ttypes
        return ttypes.TOperationHandle(
            operationId=ttypes.THandleIdentifier(guid=self.guid, secret=self.secret),
            operationType=self.operation_type,
            hasResultSet=self.has_result_set,
            modifiedRowCount=self.modified_row_count,
        )

    def get_session(self):
        return Session.current


def setting(value):
    return types.SimpleNamespace(get=lambda: value)


def load_client():
    """Loads the client's module with placeholders for the modules of Django and HUE that it imports."""
    for name in ["django", "django.utils", "django.utils.encoding", "django.utils.functional", "django.utils.translation", "beeswax", "beeswax.conf", "beeswax.hive_site",
                 "beeswax.models", "beeswax.server", "beeswax.server.dbms", "desktop", "desktop.conf", "desktop.lib",
                 "desktop.lib.python_util", "desktop.lib.thrift_util", "notebook", "notebook.connectors", "notebook.connectors.base"]:
        sys.modules[name] = mock.MagicMock()
    sys.modules["django.utils.functional"].wraps = functools.wraps
    sys.modules["django.utils.encoding"].smart_str = str
    sys.modules["django.utils.translation"].gettext = str
    conf = sys.modules["beeswax.conf"]
    conf.THRIFT_VERSION = setting(11)
    conf.CONFIG_WHITELIST = setting(["hive.map.aggr", "hive.exec.parallel", "hive.execution.engine", "tez.queue.name"])
    conf.LIST_PARTITIONS_LIMIT = setting(10000)
    conf.MAX_CATALOG_SQL_ENTRIES = setting(5000)
    conf.USE_GET_LOG_API = setting(False)
    sys.modules["beeswax"].conf = conf
    models = sys.modules["beeswax.models"]
    models.Session, models.HiveServerQueryHandle = Session, QueryHandle
    dbms = sys.modules["beeswax.server.dbms"]
    dbms.Table, dbms.DataTable, dbms.QueryServerException = Table, DataTable, QueryServerException
    dbms.InvalidSessionQueryServerException = InvalidSessionQueryServerException
    sys.modules["desktop.conf"].DEFAULT_USER = setting("hue")
    sys.path.insert(0, str(HUE / "apps/beeswax/gen-py"))
    file = HUE / "apps/beeswax/src/beeswax/server/hive_server2_lib.py"
    spec = importlib.util.spec_from_file_location("hive_server2_lib", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    from TCLIService import ttypes

    module.ttypes = ttypes
    return module


client_module = load_client()


def transport(user):
    if TRANSPORT == "http":
        http = THttpClient.THttpClient(f"http://127.0.0.1:{PORT}/cliservice")
        http.setCustomHeaders({"Authorization": "Basic " + base64.b64encode(f"{user}:any".encode()).decode()})
        return http
    from pyhive.hive import get_installed_sasl

    return TSaslClientTransport(
        lambda: get_installed_sasl(host="127.0.0.1", sasl_auth="PLAIN", username=user, password="any"),
        "PLAIN",
        TSocket.TSocket("127.0.0.1", PORT),
    )


def new_client(user):
    """A client as HUE's constructor makes it, without asking its settings how to connect."""
    client = client_module.HiveServerClient.__new__(client_module.HiveServerClient)
    client.query_server = {"server_name": "beeswax", "dialect": "hive"}
    client.user = types.SimpleNamespace(username=user, userprofile=types.SimpleNamespace(json_data="{}"))
    client.coordinator_host = ""
    client.has_close_sessions = client.has_session_pool = False
    client.max_number_of_sessions = 1
    client.impersonation_enabled = True
    wire = transport("hue")
    wire.open()
    client._client = client_module.TCLIService.Client(TBinaryProtocol(wire))
    # HUE's wrapper of Thrift's client has this call.
    client._client.get_coordinator_host = lambda: ""
    return client


def check(function):
    CHECKS.append(function)
    return function


def rows(client, sql, **named):
    table = client.execute_query_statement(sql, max_rows=1000, orientation=client_module.TFetchOrientation.FETCH_NEXT,
                                           close_operation=True, **named)
    return [tuple(row) for row in table.rows()]


def wait(api, handle):
    """Polls as HUE's notebook does, and returns the last state and its error."""
    states = client_module.ttypes.TOperationState
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        status = api.get_operation_status(handle)
        if status.operationState not in (states.INITIALIZED_STATE, states.PENDING_STATE, states.RUNNING_STATE):
            return states._VALUES_TO_NAMES[status.operationState], status.errorMessage
        time.sleep(0.05)
    raise AssertionError("the statement does not end")


def start(client, sql):
    return client.execute_async_statement(statement=sql, conf_overlay={})


@check
def the_session_acts_for_the_user(client, api):
    assert rows(client, "select current_user()") == [("mary",)], rows(client, "select current_user()")


@check
def configuration(client, api):
    found = client.get_configuration(session=Session.current)
    assert found.get("hive.execution.engine") == "tez", found


@check
def databases(client, api):
    assert "hue_checks" in api.get_databases(), api.get_databases()
    found = api.get_database("hue_checks")
    assert found["db_name"] == "hue_checks" and found["comment"] == "of hue", found
    assert found["owner_type"] == "USER" and "origin=checks" in found["parameters"], found


@check
def tables(client, api):
    assert api.get_tables("hue_checks", "*") == ["people", "people_view", "wide"], api.get_tables("hue_checks", "*")
    assert api.get_tables("hue_checks", "peo*") == ["people", "people_view"]
    found = {table["name"]: (table["type"], table["comment"]) for table in api.get_tables_meta("hue_checks", "*")}
    assert found["people"] == ("Table", "who") and found["people_view"][0] == "View", found


@check
def a_table(client, api):
    table = api.get_table("hue_checks", "people")
    assert [(column.name, column.type) for column in table.cols] == [
        ("id", "int"), ("name", "string"), ("tags", "array<string>"), ("day", "date")], [c.name for c in table.cols]
    assert table.cols[0].comment == "key"
    assert [(key.name, key.type) for key in table.partition_keys] == [("day", "date")], table.partition_keys
    assert table.path_location.endswith("/people"), table.path_location
    assert not table.is_view and table.name == "people" and table.comment == "who" and table.has_complex
    assert [key.name for key in table.primary_keys] == ["id"], table.primary_keys
    assert table.details["properties"]["table_type"].strip() == "MANAGED_TABLE", table.details
    assert table.details["properties"]["format"] == "OrcSerde", table.details
    assert table.details["stats"]["numPartitions"] == "2", table.details
    assert table.storage_details, table.properties


@check
def a_view(client, api):
    view = api.get_table("hue_checks", "people_view")
    assert view.is_view and [column.name for column in view.cols] == ["id", "name"], view.cols


@check
def partitions(client, api):
    found = api.get_partitions("hue_checks", "people", None, None)
    assert [partition.values for partition in found] == [["2020-01-02"], ["2020-01-01"]], found
    found = api.get_partitions("hue_checks", "people", "day='2020-01-01'", None)
    assert [partition.values for partition in found] == [["2020-01-01"]], found
    detail = api.get_table("hue_checks", "people", "day='2020-01-01'")
    assert detail.path_location.endswith("/day=2020-01-01"), detail.path_location


@check
def columns_of_a_table(client, api):
    results, schema = api.get_columns("hue_checks", "people")
    names = client_module.HiveServerTRowSet(results.results, schema.schema).cols(("COLUMN_NAME", "TYPE_NAME"))
    assert [row["COLUMN_NAME"] for row in names] == ["id", "name", "tags", "day"], names


@check
def primary_keys(client, api):
    found = client.get_primary_keys("hue_checks", "people")
    assert [(key["TABLE_NAME"], key["COLUMN_NAME"]) for key in found] == [("people", "id")], found


@check
def foreign_keys(client, api):
    found = client.get_foreign_keys(parent_database_name="hue_checks", parent_table_name="people",
                                    foreign_database_name="hue_checks", foreign_table_name="wide")
    assert [(key["PKCOLUMN_NAME"], key["FKCOLUMN_NAME"]) for key in found] == [("id", "person")], found


@check
def functions(client, api):
    handle = client.get_functions()
    found = [row[2] for row in client.fetch_data(handle.get_rpc_handle(), max_rows=1000).rows()]
    assert "concat_ws" in found, found[:10]
    assert any(row[0] == "concat_ws" for row in rows(client, "SHOW FUNCTIONS"))
    assert "concat" in rows(client, "DESCRIBE FUNCTION EXTENDED `concat`")[0][0]


@check
def a_query_in_the_background(client, api):
    handle = start(client, "select pos from (select posexplode(split(space(2499), ' ')) as (pos, v)) t")
    assert wait(api, handle)[0] == "FINISHED_STATE"
    for _ in range(2):
        page = api.fetch(handle, start_over=True, max_rows=1000)
        assert page.cols() == ["pos"] and page.full_cols()[0]["type"] == "INT_TYPE", page.full_cols()
        found = [row[0] for row in page.rows()]
        while True:
            page = api.fetch(handle, max_rows=1000)
            more = [row[0] for row in page.rows()]
            if not more:
                break
            found += more
        assert found == list(range(2500)), len(found)
    assert not page.has_more
    api.close(handle)


@check
def the_log_from_its_begin_and_from_where_it_was(client, api):
    handle = start(client, "insert into hue_checks.wide select a, 1 from (select explode(array(1, 2)) as a) n")
    wait(api, handle)
    log = api.get_log(handle)
    assert "hue_checks.wide" in log, log
    assert api.get_log(handle, start_over=True) == log
    assert api.get_log(handle, start_over=False) == ""
    api.close(handle)


@check
def nulls_and_types(client, api):
    found = rows(client, "select 1Y, 2S, 3, 4L, 1.5D, true, cast(2.50 as decimal(5,2)), 'a', date '2020-02-29', null, array(1, 2),"
                         " timestamp '2020-01-02 03:04:05'")
    assert found == [(1, 2, 3, 4, 1.5, True, "2.50", "a", "2020-02-29", None, "[1,2]", "2020-01-02 03:04:05")], found
    assert rows(client, "select if(a % 3 = 0, null, a) from (select posexplode(split(space(19), ' ')) as (a, v)) n") == [
        (None if a % 3 == 0 else a,) for a in range(20)]


@check
def cancel(client, api):
    numbers = "(select posexplode(split(space(9999), ' ')) as (n, v))"
    handle = start(client, f"select count(*) from {numbers} a cross join {numbers} b cross join {numbers} c where a.n + b.n < c.n")
    time.sleep(0.3)
    api.cancel_operation(handle)
    assert wait(api, handle)[0] == "CANCELED_STATE"
    api.close(handle)


@check
def errors(client, api):
    try:
        handle = start(client, "select * from hue_checks.nope")
        state, message = wait(api, handle)
        assert state == "ERROR_STATE", state
    except QueryServerException as e:
        message = str(e)
    assert "Table not found" in message and "nope" in message, message
    handle = start(client, "select assert_true(a < 2) from (select explode(array(1, 2)) as a) t")
    state, message = wait(api, handle)
    assert state == "ERROR_STATE" and "ASSERT_TRUE" in message, message
    assert rows(client, "select 1") == [(1,)]


@check
def explain(client, api):
    query = types.SimpleNamespace(get_query_statement=lambda n: "select name from hue_checks.people where id > 1", settings=[])
    assert "people" in api.explain(query).textual, api.explain(query).textual


@check
def the_assistant(client, api):
    """The statements of HUE's table browser, assistant and importer."""
    assert len(rows(client, "SELECT * FROM `hue_checks`.`people` LIMIT 100")) == 3
    assert rows(client, "SELECT DISTINCT `name` FROM `hue_checks`.`people` LIMIT 100")
    assert rows(client, "SELECT max(`id`) FROM `hue_checks`.`people`") == [(3,)]
    assert rows(client, "SELECT * FROM `hue_checks`.`people` WHERE `day`='2020-01-02'") == [(3, "c", None, "2020-01-02")]
    terms = "SELECT name, COUNT(*) AS ct FROM `hue_checks`.`people` WHERE CAST(name AS STRING) LIKE 'a%' GROUP BY name ORDER BY ct DESC"
    assert rows(client, terms + " LIMIT 30") == [("a", 1)]
    assert rows(client, "SELECT * FROM ( select id from hue_checks.people ) t LIMIT 0") == []
    rows(client, "ANALYZE TABLE `hue_checks`.`wide`  COMPUTE STATISTICS")
    rows(client, "ANALYZE TABLE `hue_checks`.`wide` COMPUTE STATISTICS FOR COLUMNS")
    found = dict(row[:2] for row in rows(client, "DESCRIBE FORMATTED `hue_checks`.`wide` `id`"))
    assert found["max"].strip() == "2", found
    assert any(row[0] == "comment" for row in rows(client, "SHOW TBLPROPERTIES `hue_checks`.`people`"))
    rows(client, "ALTER database `hue_checks` SET DBPROPERTIES ('a'='b')")
    rows(client, "ALTER TABLE `hue_checks`.`wide` SET TBLPROPERTIES ('comment' = 'new')")
    rows(client, "ALTER TABLE `hue_checks`.`wide` CHANGE COLUMN `person` `person` int COMMENT 'who'")
    rows(client, "USE `hue_checks`")
    rows(client, "CREATE TABLE `hue_checks`.`copy` AS select id, name from people")
    assert rows(client, "select count(*) from copy") == [(3,)]
    rows(client, "DROP TABLE `hue_checks`.`copy`")


def main():
    client = new_client("mary")
    client.open_session(client.user)
    api = client_module.HiveServerClientCompatible(client)
    for statement in [
        "drop database if exists hue_checks cascade",
        "create database hue_checks comment 'of hue' with dbproperties ('origin' = 'checks')",
        "create table hue_checks.people (id int comment 'key', name string, tags array<string>, primary key (id) disable novalidate)"
        " comment 'who' partitioned by (day date) stored as orc",
        "insert into hue_checks.people partition (day = '2020-01-01')"
        " select a, substr('ab', a, 1), if(a = 1, array('x'), null) from (select explode(array(1, 2)) as a) n",
        "insert into hue_checks.people partition (day = '2020-01-02') select 3, 'c', if(false, array('x'), null)",
        "create view hue_checks.people_view as select id, name from hue_checks.people",
        "create table hue_checks.wide (id int, person int, constraint wide_person foreign key (person)"
        " references hue_checks.people (id) disable novalidate)",
    ]:
        rows(client, statement)
    for function in CHECKS:
        try:
            function(client, api)
            print("passed", function.__name__, flush=True)
        except Exception as e:
            print(f"failed {function.__name__}: {type(e).__name__} {str(e)[:300]}", flush=True)
            traceback.print_exc()
    rows(client, "drop database hue_checks cascade")
    client.close_session(Session.current)


main()
