package dev.sro.core.image;

import dev.sro.core.model.Digests;
import dev.sro.core.recipe.chart.TarReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * Reads a layer as a stream, to its end, so that its digest can be checked, and keeps of it what is of interest. A tar, as it is
 * or compressed by gzip or zstd. For one use.
 */
final class LayerReader {

    /** Says for which kernel a driver toolkit is, and every image that was built from it. */
    static final String TOOLKIT = "etc/driver-toolkit-release.json";

    /** In a release payload of OpenShift: its version. */
    static final String RELEASE_METADATA = "release-manifests/release-metadata";

    /** In a release payload of OpenShift: the images that it is made of. */
    static final String RELEASE_IMAGES = "release-manifests/image-references";

    /** What is kept of a layer. */
    static final Set<String> FILES = Set.of(TOOLKIT, RELEASE_METADATA, RELEASE_IMAGES);

    /** The list of images of a release has about 100 KiB. */
    private static final int MAX_FILE = 4 << 20;

    private static final int MAX_NOTES = 10_000;
    private static final int MAX_KERNELS = 64;
    private static final String WHITEOUT = ".wh.";
    private static final String OPAQUE = ".wh..wh..opq";

    /** Wherever in the image: driver containers have them in /opt, too. */
    private static final Pattern MODULE = Pattern.compile("(?:.*/)?lib/modules/([^/]+)/.+\\.ko(?:\\.gz|\\.xz|\\.zst)?");

    /** Those that are looked into. */
    private static final Pattern READABLE = Pattern.compile(".+\\.ko(?:\\.gz|\\.xz|\\.zst)?");

    /** The largest modules have some 60 MiB. */
    private static final int MAX_MODULE = 64 << 20;

    /** Packed and unpacked are in memory at once. */
    private static final int MAX_UNPACKED = 32 << 20;

    /** More than the drivers of any image; whole kernels have more, and need not be looked into to the last of them. */
    private static final int MAX_MODULES = 1_000;

    private static final long MAX_MODULE_BYTES = 1L << 30;

    private static final Pattern MODULE_FOLDER =
            Pattern.compile("(?:.*/)?lib(?:/modules(?:/[^/]+)?)?|[^/]+(?:/[^/]+)?");

    /** How much is read: no layer of a driver is as large. */
    record Limits(long compressedBytes, long bytes) {
        static final Limits DEFAULT = new Limits(8L << 30, 32L << 30);
    }

    private final String what;
    private final Limits limits;
    private final Map<String, String> files = new HashMap<>();
    private final SortedSet<String> kernels = new TreeSet<>();
    private final SortedMap<String, SortedSet<String>> compiled = new TreeMap<>();
    private int modulesRead;
    private long moduleBytes;
    private final Set<String> removed = new HashSet<>();
    private final Set<String> opaque = new HashSet<>();

    /** @param what layer and image, for messages */
    LayerReader(String what, Limits limits) {
        this.what = what;
        this.limits = limits;
    }

    /**
     * @param digest that the layer must have
     * @throws IOException if it cannot be read, is too long, or another one
     */
    Layer read(InputStream blob, String digest) throws IOException {
        MessageDigest hash = Digests.like(digest);
        DigestInputStream hashed = new DigestInputStream(new Limited(blob, limits.compressedBytes(), what), hash);
        BufferedInputStream raw = new BufferedInputStream(hashed, 1 << 16);
        TarReader tar = new TarReader(new Limited(plain(raw), limits.bytes(), what));
        for (TarReader.Entry entry = tar.next(); entry != null; entry = tar.next()) {
            note(entry, tar);
        }
        raw.transferTo(OutputStream.nullOutputStream());
        String found = Digests.hex(hash);
        if (!digest.endsWith(":" + found)) {
            throw new IOException(
                    what + " has digest " + found + ": it was changed on the way, or the registry is damaged");
        }
        return new Layer(
                Map.copyOf(files),
                Collections.unmodifiableSortedSet(kernels),
                Collections.unmodifiableSortedMap(compiled),
                Set.copyOf(removed),
                Set.copyOf(opaque));
    }

    private InputStream plain(BufferedInputStream raw) throws IOException {
        raw.mark(4);
        byte[] magic = raw.readNBytes(4);
        raw.reset();
        if (magic.length == 4) {
            int number = (magic[0] & 0xff) << 24 | (magic[1] & 0xff) << 16 | (magic[2] & 0xff) << 8 | (magic[3] & 0xff);
            // RFC 1952 and RFC 8878.
            if (number >>> 16 == 0x1f8b) {
                return new GZIPInputStream(raw, 1 << 16);
            }
            if (number == 0x28b52ffd) {
                return Decompression.zstd(raw, what);
            }
        }
        return raw;
    }

    private void note(TarReader.Entry entry, TarReader tar) throws IOException {
        String path = entry.name().replaceFirst("^(?:\\./|/)+", "");
        int slash = path.lastIndexOf('/');
        String folder = slash < 0 ? "" : path.substring(0, slash);
        String name = path.substring(slash + 1);
        if (name.equals(OPAQUE)) {
            keep(opaque, folder);
        } else if (name.startsWith(WHITEOUT)) {
            keep(removed, (folder.isEmpty() ? "" : folder + "/") + name.substring(WHITEOUT.length()));
        } else if (entry.isFile()) {
            file(path, entry, tar);
        }
    }

    private void file(String path, TarReader.Entry entry, TarReader tar) throws IOException {
        if (FILES.contains(path)) {
            if (entry.size() > MAX_FILE) {
                throw new IOException(what + ": " + path + " has " + entry.size() + " bytes");
            }
            files.put(path, new String(tar.content(MAX_FILE), StandardCharsets.UTF_8));
            return;
        }
        Matcher module = MODULE.matcher(path);
        if (module.matches() && kernels.size() < MAX_KERNELS) {
            kernels.add(module.group(1));
        }
        if (READABLE.matcher(path).matches()
                && entry.size() <= MAX_MODULE
                && modulesRead < MAX_MODULES
                && moduleBytes < MAX_MODULE_BYTES) {
            modulesRead++;
            look(
                    module.matches() ? module.group(1) : "",
                    Decompression.module(path, tar.content(MAX_MODULE), MAX_UNPACKED));
        }
    }

    private void look(String kernel, byte[] content) {
        moduleBytes += content.length;
        ModuleInfo.kernel(content).ifPresent(release -> {
            if (compiled.size() < MAX_KERNELS || compiled.containsKey(kernel)) {
                SortedSet<String> releases = compiled.computeIfAbsent(kernel, unused -> new TreeSet<>());
                if (releases.size() < MAX_KERNELS) {
                    releases.add(release);
                }
            }
        });
    }

    /** Only what can hide something of interest. */
    private void keep(Set<String> notes, String path) {
        boolean matters = FILES.stream().anyMatch(file -> (file + "/").startsWith(path.isEmpty() ? "" : path + "/"))
                || MODULE_FOLDER.matcher(path).matches();
        if (matters && notes.size() < MAX_NOTES) {
            notes.add(path);
        }
    }

    /** Ends with an error where a stream goes on for too long. */
    private static final class Limited extends InputStream {
        private final InputStream in;
        private final String what;
        private final long limit;
        private long left;

        Limited(InputStream in, long limit, String what) {
            this.in = in;
            this.limit = limit;
            this.left = limit;
            this.what = what;
        }

        @Override
        public int read() throws IOException {
            int value = in.read();
            return (int) counted(value, value < 0 ? 0 : 1);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = in.read(bytes, offset, length);
            return (int) counted(count, Math.max(0, count));
        }

        @Override
        public long skip(long count) throws IOException {
            long skipped = in.skip(count);
            return counted(skipped, skipped);
        }

        private long counted(long result, long count) throws IOException {
            left -= count;
            if (left < 0) {
                throw new IOException(what + " has more than the " + limit + " bytes that are read");
            }
            return result;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
