package dev.sro.core.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Jars and zips that nobody vouches for. Stateless. */
final class Archives {

    /** Far above any plugin that is meant (a fat jar is some 50 MB), far below a node's disk. */
    private static final long MAX_UNPACKED_BYTES = 1L << 30;

    private static final Pattern DRIVE = Pattern.compile("^[A-Za-z]:.*", Pattern.DOTALL);

    private Archives() {}

    /**
     * Reads the directory of the archive.
     *
     * @throws UnsafeArchiveException when an entry points outside of the archive
     * @throws IOException when it is no archive, or an incomplete one
     */
    static void check(Path archive) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                checkName(entries.nextElement().getName());
            }
        }
    }

    private static void checkName(String name) throws UnsafeArchiveException {
        boolean outside = name.startsWith("/")
                || name.indexOf('\\') >= 0
                || name.indexOf('\0') >= 0
                || DRIVE.matcher(name).matches()
                || Arrays.asList(name.split("/")).contains("..");
        if (outside) {
            throw new UnsafeArchiveException("its entry \"" + name + "\" points outside of the archive");
        }
    }

    /** Unpacks a checked archive into a directory that does not exist yet; all or nothing. */
    static void unpack(Path archive, Path target) throws IOException {
        Path partial = target.resolveSibling(target.getFileName() + ".tmp");
        WorkDirectory.delete(partial);
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            Files.createDirectories(partial);
            long left = MAX_UNPACKED_BYTES;
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                left = unpack(zip, entries.nextElement(), partial, left);
            }
            Files.move(partial, target);
        } finally {
            WorkDirectory.delete(partial);
        }
    }

    private static long unpack(ZipFile zip, ZipEntry entry, Path root, long left) throws IOException {
        Path path = inside(root, entry.getName());
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return left;
        }
        Files.createDirectories(path.getParent());
        try (InputStream in = zip.getInputStream(entry);
                OutputStream out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW)) {
            // The size in the directory of the archive is a claim; count what really comes out.
            long remaining = left;
            byte[] buffer = new byte[8192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                remaining -= n;
                if (remaining < 0) {
                    throw new UnsafeArchiveException("it unpacks to more than " + MAX_UNPACKED_BYTES + " bytes");
                }
                out.write(buffer, 0, n);
            }
            return remaining;
        }
    }

    private static Path inside(Path root, String name) throws IOException {
        checkName(name);
        try {
            Path path = root.resolve(name).normalize();
            if (!path.startsWith(root)) {
                throw new UnsafeArchiveException("its entry \"" + name + "\" points outside of the archive");
            }
            return path;
        } catch (InvalidPathException bad) {
            throw new UnsafeArchiveException("its entry \"" + name + "\" is not a file name");
        }
    }
}
