package io.skep.metastore;

import static io.skep.metastore.CatalogFixtures.columns;
import static io.skep.metastore.CatalogFixtures.database;
import static io.skep.metastore.CatalogFixtures.table;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table.TableKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests databases and functions. */
interface DatabaseContract extends CatalogUnderTest {
    @Test
    default void newMetastoreHasTheDefaultDatabase() {
        assertThat(catalog().databases()).containsExactly("db", "default");
        Database standard = catalog().database("default").orElseThrow();
        assertThat(CatalogUnderTest.path(standard.location())).isEqualTo(warehouse());
        assertThat(standard.owner()).isEqualTo("public");
        assertThat(standard.ownerIsRole()).isTrue();
    }

    @Test
    default void databaseComesBackAsItWasMade() {
        Database made = catalog().database("db").orElseThrow();
        assertThat(made).isEqualTo(database("db", "file:" + warehouse().resolve("db.db")));
        assertThat(warehouse().resolve("db.db")).isDirectory();
        assertThat(catalog().database("none")).isEmpty();
        assertThat(catalog().tables("db")).isEmpty();
    }

    @Test
    default void databaseIsAltered() {
        Database changed = new Database(
                "db",
                Optional.of("new"),
                catalog().database("db").orElseThrow().location(),
                Optional.empty(),
                "admins",
                true,
                Map.of("a", "b"));
        catalog().alterDatabase(changed);
        assertThat(catalog().database("db")).contains(changed);
    }

    @Test
    default void databaseErrorsNameWhatIsWrong() {
        CatalogUnderTest.fails(
                StandardErrorCode.DATABASE_EXISTS, () -> catalog().createDatabase(database("db", "")));
        CatalogUnderTest.fails(
                StandardErrorCode.DATABASE_NOT_FOUND, () -> catalog().dropDatabase("none", true));
        CatalogUnderTest.fails(
                StandardErrorCode.DATABASE_NOT_FOUND, () -> catalog().alterDatabase(database("none", "file:/x")));
        create(table("db", "t", columns("a", "int"), List.of()));
        CatalogUnderTest.fails(
                StandardErrorCode.DATABASE_NOT_EMPTY, () -> catalog().dropDatabase("db", false));
        assertThat(catalog().tables("db")).containsExactly("t");
    }

    @Test
    default void droppedDatabaseTakesItsTablesAndFoldersAlong() throws IOException {
        Table made = create(table("db", "t", columns("a", "int"), List.of()));
        CatalogUnderTest.write(made.storage().location(), "data", "x");
        catalog().createFunction(new Function("db", "f", "some.Class", "bob", 0, List.of()));
        catalog().dropDatabase("db", true);
        assertThat(catalog().databases()).containsExactly("default");
        assertThat(warehouse().resolve("db.db")).doesNotExist();
    }

    @Test
    default void droppedDatabaseLeavesAFolderInWhichAnotherDatabaseHasATable() throws IOException {
        Path folder = warehouse().resolve("db.db/others");
        CatalogUnderTest.write("file:" + folder, "rows", "x");
        catalog().createDatabase(database("db2", ""));
        create(table("db2", "t", TableKind.EXTERNAL_TABLE, columns("a", "int"), List.of(), "file:" + folder));
        catalog().dropDatabase("db", true);
        assertThat(catalog().databases()).containsExactly("db2", "default");
        assertThat(folder.resolve("rows")).exists();
    }

    @Test
    default void droppedDatabaseLeavesAFolderThatItDidNotMake() throws IOException {
        Path elsewhere = warehouse().resolve("elsewhere");
        CatalogUnderTest.write("file:" + elsewhere, "other", "x");
        catalog().createDatabase(database("db2", "file:" + elsewhere));
        catalog().dropDatabase("db2", true);
        assertThat(elsewhere.resolve("other")).exists();
    }

    @Test
    default void functionsComeAndGo() {
        Function function = new Function("db", "f", "some.Class", "bob", 12, List.of("hdfs:///x.jar"));
        catalog().createFunction(function);
        assertThat(catalog().function("db", "f")).contains(function);
        assertThat(catalog().functions()).containsExactly(function);
        CatalogUnderTest.fails(
                StandardErrorCode.FUNCTION_EXISTS, () -> catalog().createFunction(function));
        catalog().dropFunction("db", "f");
        assertThat(catalog().function("db", "f")).isEmpty();
        CatalogUnderTest.fails(
                StandardErrorCode.FUNCTION_NOT_FOUND, () -> catalog().dropFunction("db", "f"));
    }
}
