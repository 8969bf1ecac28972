package dev.sro.core.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads for which kernel a module was compiled: the word behind {@code vermagic=} in the section {@code .modinfo} of an ELF file
 * (System V ABI, chapter 4; Linux {@code include/linux/vermagic.h}). Stateless.
 */
final class ModuleInfo {

    private static final String SECTION = ".modinfo";
    private static final String KEY = "vermagic=";

    private static final int MAGIC = 0x7f454c46;
    private static final int CLASS = 4;
    private static final int DATA = 5;
    private static final int MAX_SECTIONS = 1 << 16;

    /** Where things are in the two kinds of files, of 32 and of 64 bits. */
    private record Layout(
            int header,
            int sectionTable,
            int entrySize,
            int entryCount,
            int namesIndex,
            int entry,
            int offset,
            int size,
            boolean wide) {
        static final Layout NARROW = new Layout(52, 32, 46, 48, 50, 40, 16, 20, false);
        static final Layout WIDE = new Layout(64, 40, 58, 60, 62, 64, 24, 32, true);
    }

    private final byte[] bytes;
    private final ByteBuffer file;
    private final Layout layout;

    private ModuleInfo(byte[] bytes, ByteBuffer file, Layout layout) {
        this.bytes = bytes;
        this.file = file;
        this.layout = layout;
    }

    /**
     * The release of the kernel, as {@code uname -r} prints it.
     *
     * @param module the whole file, not compressed
     * @return empty for what is no module, or is damaged
     */
    static Optional<String> kernel(byte[] module) {
        ByteBuffer file = ByteBuffer.wrap(module);
        if (module.length < Layout.NARROW.header || file.getInt(0) != MAGIC) {
            return Optional.empty();
        }
        Layout layout = module[CLASS] == 2 ? Layout.WIDE : Layout.NARROW;
        if (module[CLASS] < 1 || module[CLASS] > 2 || module.length < layout.header) {
            return Optional.empty();
        }
        file.order(module[DATA] == 2 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        try {
            return new ModuleInfo(module, file, layout).vermagic();
        } catch (IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private Optional<String> vermagic() {
        long table = number(layout.sectionTable);
        int entry = file.getShort(layout.entrySize) & 0xffff;
        int count = file.getShort(layout.entryCount) & 0xffff;
        int names = file.getShort(layout.namesIndex) & 0xffff;
        if (table <= 0 || entry < layout.entry || count == 0 || count >= MAX_SECTIONS || names >= count) {
            return Optional.empty();
        }
        long strings = number(at(table + (long) names * entry) + layout.offset);
        for (int i = 0; i < count; i++) {
            int header = at(table + (long) i * entry);
            if (SECTION.equals(text(at(strings + (file.getInt(header) & 0xffff_ffffL)), file.limit()))) {
                int begin = at(number(header + layout.offset));
                int end = at(begin + number(header + layout.size));
                return find(begin, end);
            }
        }
        return Optional.empty();
    }

    /** Pairs that end with a zero byte each, with more such bytes between them. */
    private Optional<String> find(int begin, int end) {
        int at = begin;
        while (at < end) {
            String pair = text(at, end);
            if (pair.startsWith(KEY)) {
                String magic = pair.substring(KEY.length());
                int space = magic.indexOf(' ');
                String release = space < 0 ? magic : magic.substring(0, space);
                return release.isEmpty() ? Optional.empty() : Optional.of(release);
            }
            at += Math.max(1, pair.length() + 1);
        }
        return Optional.empty();
    }

    private long number(int at) {
        return layout.wide ? file.getLong(at) : file.getInt(at) & 0xffff_ffffL;
    }

    private int at(long offset) {
        if (offset < 0 || offset > file.limit()) {
            throw new IndexOutOfBoundsException("offset " + offset);
        }
        return (int) offset;
    }

    private String text(int begin, int end) {
        int stop = begin;
        while (stop < end && file.get(stop) != 0) {
            stop++;
        }
        return new String(bytes, begin, stop - begin, StandardCharsets.ISO_8859_1);
    }
}
