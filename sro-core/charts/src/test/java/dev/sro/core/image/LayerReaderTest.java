package dev.sro.core.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class LayerReaderTest {
    private static final int BLOCK = 512;

    private static byte[] tar(List<String> names, int size) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        names.forEach(name -> files.put(name, "x".repeat(size).getBytes(StandardCharsets.US_ASCII)));
        return tar(files);
    }

    private static byte[] tar(Map<String, byte[]> files) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        files.forEach((name, content) -> {
            int size = content.length;
            byte[] head = new byte[BLOCK];
            put(head, 0, name);
            put(head, 124, "%011o".formatted(size));
            head[156] = '0';
            put(head, 148, "        ");
            int sum = 0;
            for (byte b : head) {
                sum += b & 0xff;
            }
            put(head, 148, "%06o\0 ".formatted(sum));
            out.writeBytes(head);
            out.writeBytes(content);
            out.writeBytes(new byte[(BLOCK - size % BLOCK) % BLOCK]);
        });
        out.writeBytes(new byte[2 * BLOCK]);
        return out.toByteArray();
    }

    private static void put(byte[] head, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, head, at, bytes.length);
    }

    private static Layer read(byte[] blob, LayerReader.Limits limits) throws IOException {
        return new LayerReader("the layer", limits).read(new ByteArrayInputStream(blob), ManifestDigest.of("", blob));
    }

    private static Layer read(String... names) throws IOException {
        return read(tar(List.of(names), 3), LayerReader.Limits.DEFAULT);
    }

    @Test
    void keepsFilesOfInterestWhereverTheirNamesBegin() throws IOException {
        assertThat(read("./etc/driver-toolkit-release.json", "etc/other").file(LayerReader.TOOLKIT))
                .hasValue("xxx");
        assertThat(read("/etc/driver-toolkit-release.json").file(LayerReader.TOOLKIT))
                .isPresent();
        assertThat(read("opt/etc/driver-toolkit-release.json").file(LayerReader.TOOLKIT))
                .isEmpty();
    }

    @Test
    void findsTheKernelsOfModules() throws IOException {
        assertThat(read(
                                "lib/modules/5.14.0-1/kernel/a.ko.xz",
                                "usr/lib/modules/6.1.0/extra/b.ko",
                                "opt/lib/modules/6.2.0/c.ko.zst",
                                "lib/modules/6.3.0/modules.dep",
                                "lib/firmware/d.ko")
                        .kernels())
                .containsExactly("5.14.0-1", "6.1.0", "6.2.0");
    }

    @Test
    void readsWhatModulesWereCompiledFor() throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put("opt/lib/modules/6.1.0/a.ko", Elf.module("6.1.0 SMP"));
        files.put("opt/lib/modules/6.1.0/b.ko.gz", gzip(Elf.module("6.1.9 SMP")));
        files.put("lib/modules/6.2.0/c.ko.xz", xz(Elf.module("6.2.1 SMP")));
        files.put("lib/modules/6.2.0/d.ko.zst", zstd(Elf.module("6.2.2 SMP")));
        files.put("lib/modules/6.2.0/damaged.ko.xz", Elf.module("6.2.3 SMP"));
        files.put("lib/modules/6.2.0/damaged.ko.zst", Elf.module("6.2.4 SMP"));
        files.put("lib/modules/6.2.0/damaged.ko.gz", new byte[] {1, 2, 3});
        files.put("drivers/d.ko", Elf.module("6.3.0 SMP"));
        Layer layer = read(tar(files), LayerReader.Limits.DEFAULT);
        assertThat(layer.kernels()).containsExactly("6.1.0", "6.2.0");
        assertThat(layer.compiled())
                .containsOnlyKeys("", "6.1.0", "6.2.0")
                .containsEntry("6.2.0", new TreeSet<>(Set.of("6.2.1", "6.2.2")))
                .containsEntry("6.1.0", new TreeSet<>(Set.of("6.1.0", "6.1.9")))
                .containsEntry("", new TreeSet<>(Set.of("6.3.0")));
    }

    /** As podman makes them: with what zstd:chunked puts behind the tar, which is to be skipped. */
    @Test
    void readsLayersByZstd() throws IOException {
        byte[] plain = tar(Map.of("lib/modules/6.1.0/a.ko", Elf.module("6.1.0 SMP")));
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        packed.writeBytes(zstd(plain));
        packed.writeBytes(new byte[] {0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3});
        Layer layer = read(packed.toByteArray(), LayerReader.Limits.DEFAULT);
        assertThat(layer.kernels()).containsExactly("6.1.0");
        assertThat(layer.compiled()).containsEntry("6.1.0", new TreeSet<>(Set.of("6.1.0")));
    }

    @Test
    void saysThatALayerByZstdIsDamaged() throws IOException {
        byte[] packed = zstd(tar(List.of("a"), 5000));
        packed[9] ^= 0x55;
        packed[10] ^= 0x55;
        assertThatThrownBy(() -> read(packed, LayerReader.Limits.DEFAULT)).isInstanceOf(IOException.class);
    }

    private static byte[] zstd(byte[] plain) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (ZstdOutputStream out = new ZstdOutputStream(packed)) {
            out.write(plain);
        }
        return packed.toByteArray();
    }

    private static byte[] xz(byte[] plain) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (XZOutputStream out = new XZOutputStream(packed, new LZMA2Options())) {
            out.write(plain);
        }
        return packed.toByteArray();
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(plain);
        }
        return packed.toByteArray();
    }

    @Test
    void knowsWhatItTakesAway() throws IOException {
        Layer layer = read("etc/.wh..wh..opq", "lib/modules/.wh.6.1.0", "var/log/deep/er/.wh.x");

        assertThat(layer.hides("etc/driver-toolkit-release.json")).isTrue();
        assertThat(layer.hides("lib/modules/6.1.0/x")).isTrue();
        assertThat(layer.hides("lib/modules/6.1.1/x")).isFalse();
        assertThat(layer.removed()).as("of no consequence").hasSize(1);
    }

    @Test
    void readsNoMoreThanItMay() throws IOException {
        byte[] plain = tar(List.of("a", "b"), 5000);
        byte[] packed = gzip(plain);

        assertThatThrownBy(() -> read(plain, new LayerReader.Limits(1000, 1_000_000)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more than the 1000 bytes");
        assertThatThrownBy(() -> read(packed, new LayerReader.Limits(1000, 6000)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more than the 6000 bytes");
        assertThat(read(packed, new LayerReader.Limits(1000, 60_000)).files()).isEmpty();
    }

    @Test
    void refusesWhatIsNoArchive() {
        assertThatThrownBy(() -> read(
                        "no tar at all, ".repeat(100).getBytes(StandardCharsets.US_ASCII), LayerReader.Limits.DEFAULT))
                .isInstanceOf(IOException.class);
    }
}
