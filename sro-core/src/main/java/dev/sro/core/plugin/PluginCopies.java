package dev.sro.core.plugin;

import dev.sro.core.model.FileErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes private copies of plugin files, so that a file may be overwritten or removed while its plugin is loaded. Not
 * thread-safe.
 */
final class PluginCopies implements AutoCloseable {

    private static final String INCOMING = "incoming.tmp";

    private final WorkDirectory work;
    private PluginTrust trust = PluginTrust.ANY;

    PluginCopies(WorkDirectory work) {
        this.work = work;
    }

    /** From now on these files may be loaded. */
    void trust(PluginTrust given) {
        trust = given;
    }

    /** The files in the directory that claim to be plugins, sorted by name. */
    static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(PluginCopies::isPluginFile).sorted().toList();
        } catch (UncheckedIOException broken) {
            throw broken.getCause();
        }
    }

    private static boolean isPluginFile(Path path) {
        String name = path.getFileName().toString().toLowerCase(Locale.ROOT);
        // Dots: volumes of ConfigMaps and Secrets keep their versions in "..data" beside links to it.
        return !name.startsWith(".") && (name.endsWith(".jar") || name.endsWith(".zip")) && !Files.isDirectory(path);
    }

    PluginCopy stage(Path source, DigestList digests) throws PluginRejectedException {
        String file = source.getFileName().toString();
        boolean zip = file.toLowerCase(Locale.ROOT).endsWith(".zip");
        try {
            String sha256 = FileDigests.sha256(source);
            requireAllowed(source, sha256, digests);
            Path content = work.content(sha256, zip);
            if (Files.exists(content)) {
                return new PluginCopy(file, sha256, content);
            }
            return copy(source, file, zip, digests);
        } catch (UnsafeArchiveException unsafe) {
            throw rejected(
                    file,
                    PluginRejectionCodes.ARCHIVE_UNSAFE,
                    unsafe.getMessage(),
                    "do not use this file; ask the vendor for one that is packed properly");
        } catch (IOException | RuntimeException broken) {
            // Runtime, too: the zip reader throws several kinds at files that were made to hurt.
            throw rejected(
                    file,
                    PluginRejectionCodes.FILE_UNREADABLE,
                    "it cannot be read as a " + (zip ? "zip" : "jar") + ": "
                            + (broken instanceof IOException ? FileErrors.text(broken) : "its content is damaged"),
                    "check its permissions, and copy it again, completely: under another name first, then rename it");
        }
    }

    /** The digest of the copy decides: the source may change between two looks at it. */
    private PluginCopy copy(Path source, String file, boolean zip, DigestList digests)
            throws IOException, PluginRejectedException {
        Path incoming = work.path().resolve(INCOMING);
        try {
            String sha256 = FileDigests.copy(source, incoming);
            requireAllowed(source, sha256, digests);
            Archives.check(incoming);
            Path content = work.content(sha256, zip);
            if (!Files.exists(content)) {
                Files.createDirectories(content.getParent());
                if (zip) {
                    Archives.unpack(incoming, content);
                } else {
                    Files.move(incoming, content, StandardCopyOption.ATOMIC_MOVE);
                }
            }
            return new PluginCopy(file, sha256, content);
        } finally {
            Files.deleteIfExists(incoming);
        }
    }

    private void requireAllowed(Path source, String sha256, DigestList digests) throws PluginRejectedException {
        digests.require(source.getFileName().toString(), sha256);
        trust.require(source, sha256);
    }

    /** Deletes the copies of everything but these. */
    void keepOnly(Set<String> digests) {
        work.keepOnly(digests);
    }

    @Override
    public void close() {
        work.close();
    }

    private static PluginRejectedException rejected(String file, String code, String reason, String fix) {
        return new PluginRejectedException(PluginRejection.of(file, code, reason, fix));
    }
}
