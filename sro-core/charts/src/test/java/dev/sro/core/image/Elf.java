package dev.sro.core.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes the smallest modules that there can be: header, sections, table of sections. */
final class Elf {

    private Elf() {}

    /** A module of 64 bits, as on amd64 and arm64. */
    static byte[] module(String vermagic) {
        return file(true, ByteOrder.LITTLE_ENDIAN, modinfo("license=GPL", "\0", "vermagic=" + vermagic, "name=acme"));
    }

    /** The contents of a section: pairs, each with a zero at its end. */
    static String modinfo(String... pairs) {
        return String.join("\0", pairs) + "\0";
    }

    static byte[] file(boolean wide, ByteOrder order, String modinfo) {
        Map<String, String> sections = new LinkedHashMap<>();
        sections.put("", "");
        // What looks like it and is in another section.
        sections.put(".rodata", "\0vermagic=9.9.9-decoy SMP \0");
        sections.put(".modinfo", modinfo);
        String names = String.join("\0", sections.keySet()) + "\0.shstrtab\0";
        sections.put(".shstrtab", names);
        int header = wide ? 64 : 52;
        int entry = wide ? 64 : 40;
        int length = sections.values().stream().mapToInt(String::length).sum();
        ByteBuffer file =
                ByteBuffer.allocate(header + length + sections.size() * entry).order(order);
        file.put(new byte[] {0x7f, 'E', 'L', 'F', (byte) (wide ? 2 : 1), (byte) (order == ByteOrder.BIG_ENDIAN ? 2 : 1)
        });
        int table = header + length;
        if (wide) {
            file.putLong(40, table);
        } else {
            file.putInt(32, table);
        }
        file.putShort(wide ? 58 : 46, (short) entry);
        file.putShort(wide ? 60 : 48, (short) sections.size());
        file.putShort(wide ? 62 : 50, (short) (sections.size() - 1));
        int at = header;
        int row = table;
        for (Map.Entry<String, String> section : sections.entrySet()) {
            byte[] content = section.getValue().getBytes(StandardCharsets.ISO_8859_1);
            file.position(at);
            file.put(content);
            file.putInt(row, section.getKey().isEmpty() ? 0 : names.indexOf("\0" + section.getKey()) + 1);
            if (wide) {
                file.putLong(row + 24, at);
                file.putLong(row + 32, content.length);
            } else {
                file.putInt(row + 16, at);
                file.putInt(row + 20, content.length);
            }
            at += content.length;
            row += entry;
        }
        return file.array();
    }
}
