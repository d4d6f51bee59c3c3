package io.skep.metastore.hive;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.thrift.TBase;
import org.apache.thrift.TDeserializer;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TJSONProtocol;
import org.jspecify.annotations.NullUnmarked;

/**
 * The definitions of a table and its partitions as a file of Hive's EXPORT: JSON, in which each definition is a text
 * with the JSON of Thrift.
 */
@NullUnmarked
public final class ExportedDefinitions {
    private static final String VERSION = "0.2";
    private static final ObjectMapper JSON = new ObjectMapper();

    private ExportedDefinitions() {}

    /** A table and some of its partitions. */
    public record Exported(Table table, List<Partition> partitions) {
        public Exported {
            partitions = List.copyOf(partitions);
        }
    }

    public static byte[] encode(Exported exported) {
        ObjectNode root = JSON.createObjectNode();
        var table = new org.apache.hadoop.hive.metastore.api.Table();
        TableConversion.apply(exported.table(), table);
        try {
            root.put("version", VERSION);
            root.put("table", text(table));
            ArrayNode partitions = root.putArray("partitions");
            for (Partition partition : exported.partitions()) {
                var target = new org.apache.hadoop.hive.metastore.api.Partition();
                TableConversion.apply(partition, exported.table(), target);
                partitions.add(text(target));
            }
            return JSON.writeValueAsBytes(root);
        } catch (TException | JsonProcessingException e) {
            throw new IllegalStateException(
                    "the definition of " + exported.table().qualifiedName(), e);
        }
    }

    private static String text(TBase<?, ?> definition) throws TException {
        return new String(new TSerializer(new TJSONProtocol.Factory()).serialize(definition), UTF_8);
    }

    /** @throws SkepException CORRUPT_FILE when the bytes are something else, NOT_SUPPORTED for another version */
    public static Exported decode(byte[] bytes) {
        try {
            JsonNode root = JSON.readTree(bytes);
            String version = root.path("version").asText();
            if (!version.startsWith("0.")) {
                throw new SkepException(
                        StandardErrorCode.NOT_SUPPORTED, "version '" + version + "' of exports is not supported");
            }
            var table = read(root.path("table"), new org.apache.hadoop.hive.metastore.api.Table());
            List<Partition> partitions = new ArrayList<>();
            for (JsonNode partition : root.path("partitions")) {
                partitions.add(TableConversion.fromThrift(
                        read(partition, new org.apache.hadoop.hive.metastore.api.Partition())));
            }
            return new Exported(TableConversion.fromThrift(table), partitions);
        } catch (SkepException e) {
            throw e;
        } catch (TException | IOException | RuntimeException e) {
            throw new SkepException(
                    StandardErrorCode.CORRUPT_FILE, "the file has no definition of a table: " + e.getMessage(), e);
        }
    }

    /**
     * Jackson reads the text first. It bounds how deep the text nests, and shows what containers have, whose sizes
     * Thrift believes.
     */
    private static <T extends TBase<?, ?>> T read(JsonNode text, T definition) throws TException, IOException {
        check(JSON.readTree(text.asText()));
        new TDeserializer(new TJSONProtocol.Factory())
                .deserialize(definition, text.asText().getBytes(UTF_8));
        return definition;
    }

    /**
     * Checks the sizes of containers. A list is an array of the type, the size and the elements, a map one of both
     * types, the size and an object with the entries.
     */
    private static void check(JsonNode node) {
        if (node.isArray()) {
            boolean isMap = node.path(1).isTextual();
            int claimed = node.path(isMap ? 2 : 1).asInt(-1);
            int present = isMap ? node.path(3).size() : node.size() - 2;
            if (claimed != present) {
                throw new IllegalArgumentException("a container of " + present + " elements claims " + claimed);
            }
        }
        node.forEach(ExportedDefinitions::check);
    }
}
