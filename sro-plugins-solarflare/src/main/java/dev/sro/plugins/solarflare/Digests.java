package dev.sro.plugins.solarflare;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Short words that are other words for other texts, in all likelihood. Stateless. */
final class Digests {

    private Digests() {}

    static String compute(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(crc.getValue());
    }
}
