package io.skep.metastore.hive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TestTypedNulls {
    @Test
    void onlyParametersThatAreComparedAloneGetAType() {
        assertThat(TypedNulls.typed("SELECT 1 WHERE (? is NULL OR \"P\" = ?) AND \"Q\" IS NULL AND ? IS NOT NULL"))
                .isEqualTo(
                        "SELECT 1 WHERE (CAST(? AS VARCHAR) IS NULL OR \"P\" = ?) AND \"Q\" IS NULL AND ? IS NOT NULL");
    }
}
