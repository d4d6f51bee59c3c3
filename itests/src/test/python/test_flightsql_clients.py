"""ADBC's released driver of Flight SQL, and pyarrow's Flight client: metadata, updates, sessions, what is refused."""

import sys

import adbc_driver_flightsql
import adbc_driver_flightsql.dbapi as flightsql
import adbc_driver_manager
import pyarrow.flight as flight


def connect(uri, user, password, **options):
    return flightsql.connect(uri, db_kwargs={"username": user, "password": password, **options}, autocommit=True)


def fails(part, action):
    try:
        action()
    except Exception as error:
        assert part in str(error), str(error)
        return
    raise AssertionError("no error with " + part)


def objects(connection, **filters):
    catalogs = connection.adbc_get_objects(**filters).read_all().to_pylist()
    return [(schema["db_schema_name"], schema["db_schema_tables"])
            for catalog in catalogs for schema in catalog["catalog_db_schemas"] or []]


def look(connection):
    catalogs = connection.adbc_get_objects(depth="catalogs").read_all().to_pylist()
    assert catalogs == [], catalogs
    schemas = objects(connection, depth="db_schemas")
    assert {name for name, _ in schemas} >= {"default", "flown"}, schemas
    tables = dict(objects(connection, depth="tables", db_schema_filter="flo%", table_name_filter="p%"))
    assert [one["table_name"] for one in tables["flown"]] == ["parents", "parentsx"], tables
    assert {one["table_type"] for one in tables["flown"]} == {"TABLE"}, tables
    everything = dict(objects(connection, depth="all", db_schema_filter="flown", table_name_filter="wide"))
    columns = {one["column_name"]: one for one in everything["flown"][0]["table_columns"]}
    assert len(columns) == 21, columns
    assert columns["c_decimal"]["xdbc_type_name"] == "DECIMAL", columns["c_decimal"]
    assert columns["c_int"]["ordinal_position"] == 4, columns["c_int"]
    assert columns["c_union"]["xdbc_type_name"] == "uniontype<int,string>", columns["c_union"]
    one = dict(objects(connection, depth="all", db_schema_filter="flown", column_name_filter="c_d%"))
    found = [column["column_name"] for table in one["flown"] for column in table["table_columns"] or []]
    assert "c_date" in found and "c_int" not in found, found
    assert objects(connection, depth="all", catalog_filter="elsewhere") == []
    print("ok objects")
    schema = connection.adbc_get_table_schema("wide", db_schema_filter="flown")
    assert str(schema.field("c_bigint").type) == "int64", schema
    assert str(schema.field("c_decimal").type) == "decimal128(16, 7)", schema
    assert str(schema.field("c_timestamp").type) == "timestamp[us]", schema
    assert schema.field("c_int").metadata[b"ARROW:FLIGHT:SQL:REMARKS"] == b"a number", schema.field("c_int").metadata
    assert str(schema.field("c_union").type) == "null" or "opaque" in str(schema.field("c_union").type), schema
    assert connection.adbc_get_table_types() == ["TABLE", "VIEW", "MATERIALIZED_VIEW"]
    info = connection.adbc_get_info()
    assert info["vendor_name"] == "Apache Hive" and info["vendor_version"] == "4.0.1", info
    fails("", lambda: connection.adbc_get_table_schema("nowhere", db_schema_filter="flown"))
    print("ok types")


def change(connection):
    with connection.cursor() as cursor:
        cursor.execute("create table flown.from_python (n int, s string) stored as orc")
        assert cursor.fetchall() == []
        cursor.adbc_statement.set_sql_query("insert into flown.from_python values (1, 'a'), (2, 'b')")
        assert cursor.adbc_statement.execute_update() == 2
    with connection.cursor() as cursor:
        cursor.execute("insert into flown.from_python values (3, 'c')")
    with connection.cursor() as cursor:
        cursor.execute("select n, s from flown.from_python order by n")
        assert cursor.fetchall() == [(1, "a"), (2, "b"), (3, "c")]
        cursor.execute("show tables in flown like 'from%'")
        assert cursor.fetchall() == [("from_python",)]
        cursor.execute("drop table flown.from_python")
        fails("Table not found", lambda: cursor.execute("select n from flown.from_python"))
        fails("parameter", lambda: cursor.execute("select 1", (7,)))
        fails("CommandStatementIngest of Flight SQL is not supported", lambda: cursor.adbc_ingest("t", objects_table()))
    print("ok updates")


def objects_table():
    import pyarrow
    return pyarrow.table({"n": [1]})


def sessions(connection, uri, user, password):
    assert connection.adbc_current_db_schema == "default"
    assert connection.adbc_current_catalog == ""
    connection.adbc_current_db_schema = "flown"
    assert connection.adbc_current_db_schema == "flown"
    with connection.cursor() as cursor:
        cursor.execute("select n from filled")
        assert cursor.fetchall() == []
        cursor.execute("use default")
        fails("Table not found", lambda: cursor.execute("select n from filled"))
        cursor.execute("set role admin")
    fails("", lambda: setattr(connection, "adbc_current_db_schema", "nowhere"))
    assert connection.adbc_current_db_schema == "default"
    with connect(uri, user, password) as other:
        assert other.adbc_current_db_schema == "default"
    print("ok sessions")


def cookies(uri, user, password):
    """Without a handshake: each call has the password, and a cookie names the session."""
    import base64
    header = "Basic " + base64.b64encode((user + ":" + password).encode()).decode()
    options = {
        adbc_driver_flightsql.DatabaseOptions.AUTHORIZATION_HEADER.value: header,
        adbc_driver_flightsql.DatabaseOptions.WITH_COOKIE_MIDDLEWARE.value: "true",
    }
    with flightsql.connect(uri, db_kwargs=options, autocommit=True) as connection:
        with connection.cursor() as cursor:
            cursor.execute("select 1")
            cursor.execute("use flown")
            cursor.execute("select n from filled")
            assert cursor.fetchall() == []
    del options[adbc_driver_flightsql.DatabaseOptions.WITH_COOKIE_MIDDLEWARE.value]
    with flightsql.connect(uri, db_kwargs=options, autocommit=True) as connection:
        with connection.cursor() as cursor:
            fails("changes its session", lambda: cursor.execute("use flown"))
            cursor.execute("create table flown.stateless (n int)")
            cursor.execute("drop table flown.stateless")
    print("ok cookies")


def plain(uri, user, password):
    client = flight.connect(uri)
    token = client.authenticate_basic_token(user, password)
    options = flight.FlightCallOptions(headers=[token])
    types = {one.type for one in client.list_actions(options)}
    assert "CreatePreparedStatement" in types and "CloseSession" in types and "BeginTransaction" not in types, types
    for action in ("BeginTransaction", "BeginSavepoint", "CancelQuery", "CancelFlightInfo", "RenewFlightEndpoint"):
        fails(action + " of Flight SQL is not supported", lambda: list(client.do_action((action, b""), options)))
    assert len(list(client.do_action(("CloseSession", b""), options))) == 1
    fails("", lambda: client.get_flight_info(flight.FlightDescriptor.for_command(b"nonsense"), options))
    tables = b"\n\x3etype.googleapis.com/arrow.flight.protocol.sql.CommandGetTables"
    fails("", lambda: client.do_get(flight.Ticket(tables)).read_all())
    assert client.do_get(flight.Ticket(tables), options).read_all().num_rows > 0
    print("ok pyarrow")


def main(uri, user, password):
    with connect(uri, user, password) as connection:
        look(connection)
        change(connection)
        sessions(connection, uri, user, password)
    cookies(uri, user, password)
    plain(uri, user, password)


main(*sys.argv[1:])
