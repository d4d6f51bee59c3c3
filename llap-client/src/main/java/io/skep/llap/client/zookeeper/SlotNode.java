package io.skep.llap.client.zookeeper;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.skep.llap.client.registry.DaemonEntry;
import io.skep.llap.client.registry.DaemonOffer;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The representation of a daemon's entry: the slot is the node's name, and the rest is its content as JSON. */
final class SlotNode {
    private static final Pattern NAME = Pattern.compile("slot-(\\d{1,9})");

    /** Ignores unknown fields, since daemons of a newer version may write more. */
    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private SlotNode() {}

    static String name(int slot) {
        return "slot-%04d".formatted(slot);
    }

    /** Returns the slot of a node, if its name is one. */
    static Optional<Integer> slot(String path) {
        Matcher matcher = NAME.matcher(path.substring(path.lastIndexOf('/') + 1));
        return matcher.matches() ? Optional.of(Integer.parseInt(matcher.group(1))) : Optional.empty();
    }

    static byte[] content(DaemonOffer offer) {
        try {
            return JSON.writeValueAsBytes(offer);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(offer + " cannot be written", e);
        }
    }

    /** Returns the offer in a node's content, or nothing if the content is something else. */
    static Optional<DaemonOffer> offer(byte[] content) {
        try {
            return Optional.of(JSON.readValue(content, DaemonOffer.class));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static Optional<DaemonEntry> entry(String path, byte[] content) {
        return slot(path).flatMap(slot -> offer(content).map(offer -> offer.inSlot(slot)));
    }
}
