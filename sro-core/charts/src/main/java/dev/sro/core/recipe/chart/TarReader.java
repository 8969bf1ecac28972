package dev.sro.core.recipe.chart;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the entries of a tar stream: the formats ustar, pax and GNU, as far as charts are packed with them. Reads no more of
 * an entry than the caller asks for. Not thread-safe.
 */
public final class TarReader {

    private static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final int SIZE_AT = 124;
    private static final int SIZE_LENGTH = 12;
    private static final int CHECKSUM_AT = 148;
    private static final int CHECKSUM_LENGTH = 8;
    private static final int TYPE_AT = 156;
    private static final int MAGIC_AT = 257;
    private static final int PREFIX_AT = 345;
    private static final int PREFIX_LENGTH = 155;
    private static final int OCTAL = 8;

    /** Long names are headers too, and are read whole. */
    private static final int MAX_HEADER = 64 << 10;

    private final InputStream in;
    private long left;
    private long padding;

    /** Reads this stream, which it does not close. */
    public TarReader(InputStream in) {
        this.in = in;
    }

    /**
     * The head of an entry.
     *
     * @param name as it is in the archive
     * @param type {@code 0} a file, {@code 5} a directory, {@code 1} and {@code 2} links, others are rare
     * @param size of what follows, in bytes
     */
    public record Entry(String name, char type, long size) {
        /** Whether it is one. */
        public boolean isFile() {
            return type == '0' || type == 0 || type == '7';
        }

        /** Whether it is one. */
        public boolean isLink() {
            return type == '1' || type == '2';
        }
    }

    /** The next file, directory or link; null at the end. */
    public @Nullable Entry next() throws IOException {
        String longName = null;
        while (true) {
            skip(left + padding);
            byte[] head = in.readNBytes(BLOCK);
            if (head.length < BLOCK || isZero(head)) {
                return null;
            }
            checkSum(head);
            long size = number(head, SIZE_AT, SIZE_LENGTH);
            left = size;
            padding = (BLOCK - size % BLOCK) % BLOCK;
            char type = (char) head[TYPE_AT];
            switch (type) {
                case 'L' -> longName = zeroEnded(header(), 0, MAX_HEADER);
                case 'x' -> longName = paxPath(header(), longName);
                case 'g', 'K' -> {}
                default -> {
                    return new Entry(longName == null ? name(head) : longName, type, size);
                }
            }
        }
    }

    /** What is in the entry. */
    public byte[] content(int limit) throws IOException {
        byte[] content = in.readNBytes((int) Math.min(left, limit));
        if (content.length < Math.min(left, limit)) {
            throw new IOException("the archive ends in the middle of a file");
        }
        left -= content.length;
        return content;
    }

    private byte[] header() throws IOException {
        if (left > MAX_HEADER) {
            throw new IOException("a header of " + left + " bytes");
        }
        return content(MAX_HEADER);
    }

    private void skip(long bytes) throws IOException {
        try {
            in.skipNBytes(bytes);
        } catch (java.io.EOFException e) {
            throw new IOException("the archive ends in the middle of a file", e);
        }
        left = 0;
        padding = 0;
    }

    private static String name(byte[] head) {
        String name = zeroEnded(head, 0, NAME);
        // Only ustar has a prefix; GNU keeps other things there.
        boolean ustar = new String(head, MAGIC_AT, 6, StandardCharsets.ISO_8859_1).equals("ustar\0");
        String prefix = ustar ? zeroEnded(head, PREFIX_AT, PREFIX_LENGTH) : "";
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    /** The value of {@code path} in records of the form "LENGTH KEY=VALUE\n". */
    private static @Nullable String paxPath(byte[] records, @Nullable String otherwise) throws IOException {
        String result = otherwise;
        int at = 0;
        while (at < records.length) {
            int space = at;
            while (space < records.length && records[space] != ' ') {
                space++;
            }
            int length = parse(new String(records, at, space - at, StandardCharsets.US_ASCII));
            if (length <= space - at + 1 || length > records.length - at) {
                throw new IOException("a pax header that is not one");
            }
            String record = new String(records, space + 1, length - (space - at) - 2, StandardCharsets.UTF_8);
            if (record.startsWith("path=")) {
                result = record.substring("path=".length());
            }
            at += length;
        }
        return result;
    }

    private static int parse(String digits) throws IOException {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            throw new IOException("a pax header that is not one", e);
        }
    }

    private static void checkSum(byte[] head) throws IOException {
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            boolean inSum = i >= CHECKSUM_AT && i < CHECKSUM_AT + CHECKSUM_LENGTH;
            sum += inSum ? ' ' : head[i] & 0xff;
        }
        if (sum != number(head, CHECKSUM_AT, CHECKSUM_LENGTH)) {
            throw new IOException("not a tar archive, or a damaged one");
        }
    }

    /** Octal digits between blanks and zeros; sizes beyond 8 GiB have another form, which is not needed. */
    private static long number(byte[] head, int at, int length) throws IOException {
        String digits = zeroEnded(head, at, length).trim();
        try {
            long number = digits.isEmpty() ? 0 : Long.parseLong(digits, OCTAL);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IOException("a number in a header is none", e);
        }
        throw new IOException("a number in a header is negative");
    }

    private static String zeroEnded(byte[] bytes, int at, int length) {
        int end = at;
        while (end < bytes.length && end < at + length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, at, end - at, StandardCharsets.UTF_8);
    }

    private static boolean isZero(byte[] block) {
        for (byte b : block) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }
}
