package dev.sro.core.recipe.chart;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Packs files as {@link TarReader} and Helm read them. Equal files give equal bytes. Stateless. */
final class TarWriter {

    private static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final int MODE_AT = 100;
    private static final int OWNER_AT = 108;
    private static final int GROUP_AT = 116;
    private static final int SIZE_AT = 124;
    private static final int TIME_AT = 136;
    private static final int CHECKSUM_AT = 148;
    private static final int CHECKSUM_LENGTH = 8;
    private static final int TYPE_AT = 156;
    private static final int MAGIC_AT = 257;

    private TarWriter() {}

    /**
     * A gzipped tar archive, not compressed: it is read once, from memory.
     *
     * @param folder in front of every path
     * @param files contents by path
     */
    static byte[] archive(String folder, Map<String, byte[]> files) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new Stored(bytes)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                entry(out, folder + "/" + file.getKey(), '0', file.getValue());
            }
            out.write(new byte[2 * BLOCK]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static void entry(OutputStream out, String name, char type, byte[] content) throws IOException {
        byte[] path = name.getBytes(StandardCharsets.UTF_8);
        if (path.length > NAME) {
            // GNU's way for long names: an entry of its own before the file's.
            byte[] ended = Arrays.copyOf(path, path.length + 1);
            block(out, "././@LongLink".getBytes(StandardCharsets.US_ASCII), 'L', ended);
        }
        block(out, path, type, content);
    }

    private static void block(OutputStream out, byte[] name, char type, byte[] content) throws IOException {
        byte[] head = new byte[BLOCK];
        System.arraycopy(name, 0, head, 0, Math.min(name.length, NAME));
        put(head, MODE_AT, "0000644");
        put(head, OWNER_AT, "0000000");
        put(head, GROUP_AT, "0000000");
        put(head, SIZE_AT, String.format(Locale.ROOT, "%011o", content.length));
        put(head, TIME_AT, "00000000000");
        head[TYPE_AT] = (byte) type;
        put(head, MAGIC_AT, "ustar  ");
        int sum = CHECKSUM_LENGTH * ' ';
        for (byte b : head) {
            sum += b & 0xff;
        }
        put(head, CHECKSUM_AT, String.format(Locale.ROOT, "%06o", sum));
        head[CHECKSUM_AT + CHECKSUM_LENGTH - 1] = ' ';
        out.write(head);
        out.write(content);
        out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    }

    private static void put(byte[] head, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, head, at, bytes.length);
    }

    private static final class Stored extends GZIPOutputStream {
        Stored(OutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.NO_COMPRESSION);
        }
    }
}
