package io.skep.metastore.privilege;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.CatalogFixtures;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Table;
import io.skep.metastore.testing.TestingMetastore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tests roles and grants in the embedded database, through the cache. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestPrivileges {
    private static final Principal ROOT = Principal.user("root");
    private static final Principal ANN = Principal.user("Ann");

    private TestingMetastore metastore;
    private PrivilegeStore privileges;

    @BeforeAll
    void open() {
        metastore = TestingMetastore.open(Map.of("hive.users.in.admin.role", "root,ops"));
        privileges = metastore.metastore().privileges();
    }

    @AfterAll
    void close() {
        metastore.close();
    }

    @AfterEach
    void clear() {
        privileges.roles().stream()
                .filter(role -> !List.of("admin", "public").contains(role))
                .forEach(privileges::removeRole);
        metastore.clear();
    }

    @Test
    void newMetastoreHasTheRolesOfHive() {
        assertThat(privileges.roles()).containsExactly("admin", "public");
        assertThat(privileges.members("admin"))
                .extracting(grant -> grant.member().name(), RoleGrant::adminOption, RoleGrant::grantor)
                .containsExactly(
                        Tuple.tuple("ops", true, Principal.role("admin")),
                        Tuple.tuple("root", true, Principal.role("admin")));
        assertThat(privileges.rolesOf(ROOT)).extracting(RoleGrant::role).containsExactly("admin", "public");
        assertThat(privileges.rolesOf(Principal.user("nobody")))
                .extracting(RoleGrant::role)
                .containsExactly("public");
    }

    @Test
    void rolesHaveMembers() {
        privileges.addRole("Readers", "root");
        assertThat(privileges.roles()).containsExactly("admin", "public", "readers");
        privileges.grantRole("readers", ANN, ROOT, true);
        assertThat(privileges.rolesOf(ANN)).extracting(RoleGrant::role).containsExactly("public", "readers");
        assertThat(privileges.members("READERS"))
                .extracting(RoleGrant::member, RoleGrant::adminOption, RoleGrant::grantor)
                .containsExactly(Tuple.tuple(ANN, true, ROOT));
        privileges.revokeRole("readers", ANN, true);
        assertThat(privileges.members("readers"))
                .extracting(RoleGrant::adminOption)
                .containsExactly(false);
        fails(StandardErrorCode.INVALID_GRANT, () -> privileges.revokeRole("readers", ANN, true));
        privileges.revokeRole("readers", ANN, false);
        privileges.revokeRole("readers", ANN, false);
        assertThat(privileges.rolesOf(ANN)).extracting(RoleGrant::role).containsExactly("public");
    }

    @Test
    void rolesFormNoCycles() {
        List.of("a", "b", "c").forEach(role -> privileges.addRole(role, "root"));
        privileges.grantRole("a", Principal.role("b"), ROOT, false);
        privileges.grantRole("b", Principal.role("c"), ROOT, false);
        fails(StandardErrorCode.INVALID_GRANT, () -> privileges.grantRole("c", Principal.role("a"), ROOT, false));
        fails(StandardErrorCode.INVALID_GRANT, () -> privileges.grantRole("a", Principal.role("A"), ROOT, false));
        // A user may have the name of a role.
        privileges.grantRole("c", Principal.user("a"), ROOT, false);
        assertThat(privileges.rolesOf(Principal.role("c")))
                .extracting(RoleGrant::role)
                .containsExactly("b");
    }

    @Test
    void errorsNameWhatIsWrong() {
        privileges.addRole("a", "root");
        fails(StandardErrorCode.ROLE_EXISTS, () -> privileges.addRole("A", "root"));
        fails(StandardErrorCode.ROLE_NOT_FOUND, () -> privileges.grantRole("none", ANN, ROOT, false));
        fails(StandardErrorCode.ROLE_NOT_FOUND, () -> privileges.revokeRole("none", ANN, false));
        privileges.grantRole("a", ANN, ROOT, false);
        fails(StandardErrorCode.INVALID_GRANT, () -> privileges.grantRole("a", ANN, ROOT, true));
        assertThat(privileges.members("none")).isEmpty();
        privileges.removeRole("none");
    }

    private static void fails(StandardErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static PrivilegeGrant grant(PrivilegeObject object, Principal to, String privilege, boolean option) {
        return new PrivilegeGrant(object, to, privilege, option, ROOT, 0);
    }

    @Test
    void privilegesAreGrantedOnDatabasesTablesAndColumns() {
        createTable("t");
        privileges.addRole("readers", "root");
        PrivilegeGrant ofDatabase = grant(PrivilegeObject.database("default"), ANN, "SELECT", true);
        PrivilegeGrant ofTable =
                grant(PrivilegeObject.table("default", "t"), Principal.role("readers"), "INSERT", false);
        PrivilegeGrant ofColumn = grant(PrivilegeObject.column("default", "t", "a"), ANN, "SELECT", false);
        privileges.grant(List.of(ofDatabase, ofTable, ofColumn));
        assertThat(untimed(privileges.grantsTo(ANN))).hasSize(6).contains(ofDatabase, ofColumn);
        assertThat(untimed(privileges.grantsOn(PrivilegeObject.database("default"))))
                .containsExactly(ofDatabase);
        assertThat(untimed(privileges.grantsOn(PrivilegeObject.table("default", "t"))))
                .hasSize(5)
                .contains(ofTable);
        assertThat(untimed(privileges.grantsOn(PrivilegeObject.column("default", "t", "a"))))
                .containsExactly(ofColumn);
        fails(StandardErrorCode.INVALID_GRANT, () -> privileges.grant(List.of(ofColumn)));
        privileges.revoke(List.of(ofDatabase), true);
        assertThat(privileges.grantsOn(PrivilegeObject.database("default")))
                .extracting(PrivilegeGrant::grantOption)
                .containsExactly(false);
        privileges.revoke(List.of(grant(PrivilegeObject.database("default"), ANN, "SELECT", false), ofColumn), false);
        assertThat(privileges.grantsTo(ANN)).hasSize(4);
        fails(StandardErrorCode.INVALID_GRANT, () -> privileges.revoke(List.of(ofColumn), false));
    }

    private static List<PrivilegeGrant> untimed(List<PrivilegeGrant> grants) {
        return grants.stream()
                .map(grant -> new PrivilegeGrant(
                        grant.object(), grant.principal(), grant.privilege(), grant.grantOption(), grant.grantor(), 0))
                .toList();
    }

    @Test
    void ownerOfATableMayReadAndWriteIt() {
        createTable("t");
        assertThat(privileges.grantsOn(PrivilegeObject.table("default", "t")))
                .allMatch(grant -> grant.principal().equals(ANN)
                        && grant.grantor().equals(ANN)
                        && grant.grantOption()
                        && grant.grantTime() > 0)
                .extracting(PrivilegeGrant::privilege)
                .containsExactlyInAnyOrder("DELETE", "INSERT", "SELECT", "UPDATE");
    }

    @Test
    void droppedTablesAndRolesTakeTheirGrantsAlong() {
        createTable("t");
        privileges.addRole("readers", "root");
        PrivilegeObject table = PrivilegeObject.table("default", "t");
        PrivilegeObject column = PrivilegeObject.column("default", "t", "a");
        privileges.grant(List.of(grant(table, Principal.role("readers"), "SELECT", false)));
        assertThat(privileges.grantsOn(table)).hasSize(5);
        privileges.removeRole("readers");
        assertThat(privileges.grantsOn(table)).hasSize(4);
        privileges.grant(List.of(grant(column, ANN, "SELECT", false)));
        metastore.catalog().dropTable("default", "t", DroppedFiles.PURGED);
        assertThat(privileges.grantsOn(table)).isEmpty();
        assertThat(privileges.grantsTo(ANN)).isEmpty();
        createTable("t");
        assertThat(privileges.grantsOn(table)).hasSize(4);
        assertThat(privileges.grantsOn(column)).isEmpty();
    }

    private void createTable(String name) {
        Table made = CatalogFixtures.table("default", name, CatalogFixtures.columns("a", "int"), List.of());
        metastore
                .catalog()
                .createTable(new Table(
                        Table.NO_ID,
                        "default",
                        name,
                        made.kind(),
                        ANN.name(),
                        false,
                        0,
                        0,
                        List.of(),
                        made.storage(),
                        Map.of(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
    }
}
