// npm's hive-driver, as programs use it; prints a line for each check.
const assert = require("assert");
const hive = require("hive-driver");

const { TCLIService, TCLIService_types: types } = hive.thrift;
const utils = new hive.HiveUtils(types);

async function rowsOf(operation) {
    await utils.waitUntilReady(operation, false);
    await utils.fetchAll(operation);
    const rows = utils.getResult(operation).getValue();
    await operation.close();
    return rows;
}

async function query(session, sql, options = {}) {
    return rowsOf(await session.executeStatement(sql, { runAsync: true, ...options }));
}

async function refused(promise, text) {
    await assert.rejects(promise, (error) => String(error.message || error).includes(text));
}

const checks = {
    async version(session) {
        const answer = await session.getInfo(types.TGetInfoType.CLI_DBMS_VER);
        assert.match(String(answer.getValue()), /^4\./);
    },
    async values(session) {
        const [row] = await query(session, "select 1 as i, 'text' as s, true as b, 2.5D as d, cast(1.5 as decimal(3,1)) as n");
        assert.deepStrictEqual([row.i, row.s, row.b, row.d, Number(row.n)], [1, "text", true, 2.5, 1.5]);
    },
    async nulls(session) {
        const [row] = await query(session, "select cast(null as int) as i, cast(null as string) as s");
        assert.deepStrictEqual([row.i, row.s], [null, null]);
    },
    async times(session) {
        const [row] = await query(session, "select date '2020-02-29' as d, timestamp '2020-01-02 03:04:05' as t");
        assert.deepStrictEqual([row.d, row.t], ["2020-02-29", "2020-01-02 03:04:05"]);
    },
    async nested(session) {
        const [row] = await query(session, "select array(1, 2) as a, map('k', 1) as m, named_struct('x', 1) as s");
        assert.deepStrictEqual([row.a, row.m, row.s], [[1, 2], { k: 1 }, { x: 1 }]);
    },
    async manyRows(session) {
        const rows = await query(session, "select pos from (select posexplode(split(space(4999), ' ')) as (pos, v)) t");
        assert.strictEqual(rows.length, 5000);
    },
    async unicode(session) {
        const [row] = await query(session, "select 'grüße 世界' as s");
        assert.strictEqual(row.s, "grüße 世界");
    },
    async writes(session) {
        await query(session, "create table hive_driver_checks.t (a int, b string)");
        await query(session, "insert into hive_driver_checks.t values (1, 'x'), (2, 'y')");
        const rows = await query(session, "select * from hive_driver_checks.t order by a");
        assert.deepStrictEqual(rows.map((row) => Object.values(row)), [[1, "x"], [2, "y"]]);
    },
    async settings(session) {
        await query(session, "set hive.exec.dynamic.partition.mode=strict");
        const [row] = await query(session, "set hive.exec.dynamic.partition.mode");
        assert.deepStrictEqual(Object.values(row), ["hive.exec.dynamic.partition.mode=strict"]);
    },
    async errors(session) {
        await refused(query(session, "select * from no_such_table"), "no_such_table");
        assert.strictEqual((await query(session, "select 1 as one")).length, 1);
    },
    async cancel(session) {
        await query(session, "create table hive_driver_checks.n as select pos from (select posexplode(split(space(9999), ' ')) as (pos, v)) t");
        const operation = await session.executeStatement(
            "select count(*) from hive_driver_checks.n a cross join hive_driver_checks.n b cross join hive_driver_checks.n c where a.pos + b.pos < c.pos",
            { runAsync: true });
        await operation.cancel();
        await assert.rejects(utils.waitUntilReady(operation, false));
        await operation.close();
    },
    async schemas(session) {
        const rows = await rowsOf(await session.getSchemas({}));
        assert.ok(rows.some((row) => row.TABLE_SCHEM === "hive_driver_checks"));
    },
    async tables(session) {
        const rows = await rowsOf(await session.getTables({ schemaName: "hive_driver_checks", tableName: "t" }));
        assert.deepStrictEqual(rows.map((row) => [row.TABLE_NAME, row.TABLE_TYPE]), [["t", "TABLE"]]);
    },
    async columns(session) {
        const rows = await rowsOf(await session.getColumns({ schemaName: "hive_driver_checks", tableName: "t" }));
        assert.deepStrictEqual(rows.map((row) => row.COLUMN_NAME), ["a", "b"]);
    },
    async tableTypes(session) {
        const rows = await rowsOf(await session.getTableTypes());
        assert.ok(rows.some((row) => row.TABLE_TYPE === "VIEW"));
    },
    async typeInfo(session) {
        assert.ok((await rowsOf(await session.getTypeInfo())).some((row) => row.TYPE_NAME === "DECIMAL"));
    },
    async functions(session) {
        const rows = await rowsOf(await session.getFunctions({ functionName: "concat%" }));
        assert.deepStrictEqual(rows.map((row) => row.FUNCTION_NAME), ["concat", "concat_ws"]);
    },
};

async function main() {
    const [port, transport] = [Number(process.argv[2]), process.argv[3]];
    const user = { username: "node", password: "any" };
    const client = await (transport === "http"
        ? new hive.HiveClient(TCLIService, types).connect(
            { host: "127.0.0.1", port, options: { path: "/cliservice" } },
            new hive.connections.HttpConnection(),
            new hive.auth.PlainHttpAuthentication(user))
        : new hive.HiveClient(TCLIService, types).connect(
            { host: "127.0.0.1", port }, new hive.connections.TcpConnection(), new hive.auth.PlainTcpAuthentication(user)));
    const session = await client.openSession({ client_protocol: types.TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10 });
    await query(session, "drop database if exists hive_driver_checks cascade");
    await query(session, "create database hive_driver_checks");
    for (const [name, check] of Object.entries(checks)) {
        try {
            await check(session);
            console.log(`passed ${name}`);
        } catch (error) {
            console.log(`failed ${name}: ${String(error.message || error).replace(/\s+/g, " ").slice(0, 300)}`);
        }
    }
    await query(session, "drop database hive_driver_checks cascade");
    await session.close();
    client.close();
}

main().then(() => process.exit(0), (error) => {
    console.log("the checks ended: " + (error.stack || error.message));
    process.exit(1);
});
