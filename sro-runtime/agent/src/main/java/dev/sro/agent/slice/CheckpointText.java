package dev.sro.agent.slice;

import dev.sro.agent.device.PciAddress;
import dev.sro.agent.file.JsonText;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputField;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The checkpoint as bytes: a line with versions, length and checksum, and JSON behind it. The checksum is over the bytes as they are,
 * so that an agent which does not know a field still agrees with it. Stateless.
 */
final class CheckpointText {
    /** Of what this agent writes. */
    static final int VERSION = 2;

    /** The first that knows whole GPUs. */
    private static final int WITH_WHOLE = 2;

    private static final Pattern HEADER =
            Pattern.compile("sro-agent-checkpoint version=([0-9]{1,6}) readable-by=([0-9]{1,6}) length=([0-9]{1,9})"
                    + " crc32c=([0-9a-f]{8})");

    private static final int LONGEST_HEADER = 200;

    private CheckpointText() {}

    /**
     * What it says.
     *
     * @param bootId of the boot in which it was written
     */
    record Content(String bootId, List<Holding> holdings) {}

    /** A checkpoint that cannot be used. {@code newer}: because only newer agents can; else it is damaged. */
    static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        final boolean newer;

        Unreadable(boolean newer, String message) {
            super(message);
            this.newer = newer;
        }
    }

    static byte[] write(String bootId, Collection<Holding> holdings) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("bootId", bootId);
        tree.put("holdings", holdings.stream().map(CheckpointText::tree).toList());
        boolean whole = holdings.stream().anyMatch(holding -> holding.place().isWhole());
        return framed(VERSION, whole ? WITH_WHOLE : 1, JsonText.of(tree));
    }

    static byte[] framed(int version, int readableBy, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        byte[] header = String.format(
                        Locale.ROOT,
                        "sro-agent-checkpoint version=%d readable-by=%d length=%d crc32c=%08x\n",
                        version,
                        readableBy,
                        bytes.length,
                        checksum(bytes))
                .getBytes(StandardCharsets.US_ASCII);
        byte[] all = Arrays.copyOf(header, header.length + bytes.length);
        System.arraycopy(bytes, 0, all, header.length, bytes.length);
        return all;
    }

    private static long checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return crc.getValue();
    }

    private static Map<String, Object> tree(Holding holding) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("uid", holding.claim().uid());
        tree.put("namespace", holding.claim().namespace());
        tree.put("name", holding.claim().name());
        tree.put("device", holding.device());
        tree.put("gpu", holding.place().gpu().toString());
        tree.put("profile", holding.place().profile());
        tree.put("profileId", holding.place().profileId());
        tree.put("start", holding.place().start());
        tree.put("size", holding.place().size());
        tree.put("stage", holding.stage().name());
        tree.put("keep", holding.keep());
        tree.put("gpuInstance", holding.gpuInstance());
        tree.put("computeInstance", holding.computeInstance());
        tree.put("uuid", holding.uuid());
        return tree;
    }

    static Content read(byte[] bytes) throws Unreadable {
        int end = 0;
        while (end < Math.min(bytes.length, LONGEST_HEADER) && bytes[end] != '\n') {
            end++;
        }
        Matcher header = HEADER.matcher(new String(bytes, 0, end, StandardCharsets.US_ASCII));
        if (!header.matches()) {
            throw new Unreadable(false, "it does not begin as a checkpoint does");
        }
        if (Integer.parseInt(header.group(2)) > VERSION) {
            throw new Unreadable(
                    true,
                    "it was written by a newer agent and needs version " + header.group(2) + "; this one has "
                            + VERSION);
        }
        byte[] body = Arrays.copyOfRange(bytes, Math.min(end + 1, bytes.length), bytes.length);
        if (body.length != Integer.parseInt(header.group(3))) {
            throw new Unreadable(false, "it has " + body.length + " bytes where " + header.group(3) + " were written");
        }
        if (checksum(body) != Long.parseLong(header.group(4), 16)) {
            throw new Unreadable(false, "its checksum is wrong");
        }
        try {
            return content(InputDocument.parse("checkpoint", new String(body, StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException e) {
            throw new Unreadable(false, String.valueOf(e.getMessage()));
        }
    }

    /** Fields that are not known are those of newer agents, and left out. */
    private static Content content(InputDocument document) {
        Map<String, InputField> root = document.root().fields();
        List<Holding> holdings = new ArrayList<>();
        for (InputField field : need(root, "holdings").list()) {
            Map<String, InputField> fields = field.fields();
            holdings.add(new Holding(
                    new ClaimRef(
                            text(fields, "uid"),
                            need(fields, "namespace").text(),
                            need(fields, "name").text()),
                    text(fields, "device"),
                    new Place(
                            PciAddress.of(text(fields, "gpu")),
                            text(fields, "profile"),
                            need(fields, "profileId").integer(),
                            need(fields, "start").integer(),
                            need(fields, "size").integer()),
                    Stage.valueOf(text(fields, "stage")),
                    need(fields, "keep").bool(),
                    need(fields, "gpuInstance").integer(),
                    need(fields, "computeInstance").integer(),
                    need(fields, "uuid").text()));
        }
        Content content = new Content(text(root, "bootId"), holdings);
        document.check();
        return content;
    }

    private static InputField need(Map<String, InputField> fields, String name) {
        InputField field = fields.get(name);
        if (field == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return field;
    }

    private static String text(Map<String, InputField> fields, String name) {
        return need(fields, name).string();
    }
}
