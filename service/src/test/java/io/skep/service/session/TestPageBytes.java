package io.skep.service.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.ql.ResultSchema;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.ResultStream;
import io.skep.ql.SqlStatement;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests that pages are also limited by bytes, within a batch and with any encoding of its values. No row is lost or
 * returned twice.
 */
final class TestPageBytes {
    private static final int MB = 1 << 20;
    private static final ResultSchema SCHEMA =
            new ResultSchema(List.of(new ResultColumn("c", PrimitiveType.STRING, "")));

    private static BytesVector texts(int rows, int bytes) {
        int[] offsets = new int[rows];
        int[] lengths = new int[rows];
        Arrays.fill(lengths, bytes);
        return new BytesVector(new byte[bytes], offsets, lengths, null, rows);
    }

    /** Returns the rows of each page when 10,000 are requested. */
    private static List<Integer> pages(Vector... batches) {
        Iterator<Batch> all =
                Arrays.stream(batches).map(one -> Batch.of(one.length(), one)).iterator();
        ResultStream stream = () -> all.hasNext() ? Optional.of(all.next()) : Optional.empty();
        SqlStatement statement = (SqlStatement) Proxy.newProxyInstance(
                SqlStatement.class.getClassLoader(),
                new Class<?>[] {SqlStatement.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "schema" -> Optional.of(SCHEMA);
                    case "results" -> stream;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        ResultPager pager = new ResultPager(statement, new RewindBuffer(new KeptRows(1 << 20).share()));
        List<Integer> rows = new ArrayList<>();
        ResultPage page;
        do {
            page = pager.next(10_000);
            rows.add(page.rowCount());
        } while (page.hasMore());
        assertThat(rows.stream().mapToInt(count -> count).sum())
                .isEqualTo(Arrays.stream(batches).mapToInt(Vector::length).sum());
        return rows;
    }

    @Test
    void largeValuesEndAPage() {
        for (Vector encoded : List.of(
                texts(2000, MB),
                new ConstantVector(texts(1, MB), 2000),
                new DictionaryVector(new int[2000], texts(1, MB), null, 2000),
                new ListVector(texts(4, MB / 4), new int[2000], filled(2000, 4), null, 2000))) {
            List<Integer> rows = pages(encoded);
            assertThat(rows).as("%s", encoded.getClass().getSimpleName()).hasSizeGreaterThan(400);
            assertThat(rows).allMatch(count -> count <= 4);
        }
    }

    private static int[] filled(int length, int value) {
        int[] values = new int[length];
        Arrays.fill(values, value);
        return values;
    }

    @Test
    void aRowLargerThanAPageTravelsAlone() {
        assertThat(pages(texts(3, 10), texts(2, 9 * MB), texts(3, 10)))
                .startsWith(3, 1)
                .contains(1);
    }

    @Test
    void smallRowsFillAPageAsTheClientWants() {
        assertThat(pages(texts(9_000, 10), texts(9_000, 10)).getFirst()).isEqualTo(10_000);
        assertThat(pages(new LongVector(new long[20_000], null, 20_000)).getFirst())
                .isEqualTo(10_000);
    }
}
