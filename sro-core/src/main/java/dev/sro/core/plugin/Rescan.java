package dev.sro.core.plugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One look at the plugin directory: from what is loaded now to what should be. Used once, by one thread.
 *
 * <p>What did not change stays loaded as it is. What changed is loaded beside the old one; the caller closes the old
 * one after it has published the result. When a file is rejected and an earlier version of the same plugin is loaded,
 * that one stays: a half-copied jar must not take a working plugin away.
 */
final class Rescan {

    private static final Logger LOG = LoggerFactory.getLogger(Rescan.class);

    /** What one look led to: loaded islands with dependencies first, and everything that was not taken. */
    record Result(List<PluginIsland> islands, List<PluginRejection> rejections, Map<String, PluginRejection> failures) {

        static final Result NOTHING = new Result(List.of(), List.of(), Map.of());

        /** The islands, and those that they are linked to although these are not offered any more. */
        Set<PluginIsland> inUse() {
            Set<PluginIsland> seen = new LinkedHashSet<>();
            islands.forEach(island -> collect(island, seen));
            return seen;
        }

        private static void collect(PluginIsland island, Set<PluginIsland> seen) {
            if (!seen.contains(island)) {
                island.dependencies().forEach(dependency -> collect(dependency, seen));
                seen.add(island);
            }
        }
    }

    private final PluginCopies staging;
    private final PluginIsland.Environment environment;
    private final Result before;
    private final IslandPool pool;

    private final List<Candidate> candidates = new ArrayList<>();
    private final List<PluginRejection> rejections = new ArrayList<>();
    private final Set<String> rejectedIds = new HashSet<>();

    Rescan(PluginCopies staging, PluginIsland.Environment environment, Result before) {
        this.staging = staging;
        this.environment = environment;
        this.before = before;
        this.pool = new IslandPool(environment, before.islands(), before.failures());
    }

    Result run(List<Path> directories, Supplier<PluginTrust> trust) {
        List<PluginRejection> unreadable = new ArrayList<>();
        try {
            staging.trust(trust.get());
        } catch (UncheckedIOException broken) {
            return new Result(before.islands(), List.of(noTrust(broken)), before.failures());
        }
        for (Path directory : directories) {
            try {
                DigestList digests = DigestList.of(directory);
                PluginCopies.list(directory).forEach(file -> read(file, digests));
            } catch (IOException broken) {
                unreadable.add(unreadable(directory, broken));
            }
        }
        if (!unreadable.isEmpty() && !before.islands().isEmpty()) {
            // A storage hiccup is no reason to take drivers' plugins away.
            return new Result(before.islands(), unreadable, before.failures());
        }
        rejections.addAll(unreadable);
        LoadPass pass = load();
        keepLastGood(pass);
        Result result = new Result(List.copyOf(pass.islands()), List.copyOf(rejections), pool.failures());
        pool.closeUnused(result.inUse());
        return result;
    }

    private static PluginRejection noTrust(UncheckedIOException broken) {
        return PluginRejection.of(
                "plugins",
                PluginRejectionCodes.TRUST_UNREADABLE,
                "which plugins may be loaded cannot be read: "
                        + Throwables.describe(Objects.requireNonNullElse(broken.getCause(), broken))
                        + "; what was loaded before stays loaded",
                "mount the lists of digests and the keys, and let the process read them");
    }

    private static PluginRejection unreadable(Path directory, IOException broken) {
        return PluginRejection.of(
                directory.toString(),
                PluginRejectionCodes.DIRECTORY_UNREADABLE,
                "the plugin directory cannot be read: " + Throwables.describe(broken)
                        + "; what was loaded from it stays loaded",
                "create or mount the directory, let the process read it, and have " + DigestList.NAME
                        + " in it, if it is there, as sha256sum writes it");
    }

    private void read(Path file, DigestList digests) {
        try {
            PluginCopy staged = staging.stage(file, digests);
            candidates.add(DescriptorReader.read(staged));
            if (digests.isMissing(staged.file()) && !wasLoaded(staged)) {
                LOG.atInfo()
                        .addKeyValue("file", staged.file())
                        .addKeyValue("sha256", staged.sha256())
                        .log("{} does not list this file; it was added", DigestList.NAME);
            }
        } catch (PluginRejectedException rejected) {
            rejections.add(rejected.rejection());
        }
    }

    private boolean wasLoaded(PluginCopy staged) {
        return before.islands().stream()
                .anyMatch(island -> island.candidate().staged().equals(staged));
    }

    /** Repeats without the files that failed, as long as there is another file of the same plugin to fall back to. */
    private LoadPass load() {
        while (true) {
            Resolution resolution = Resolution.of(candidates, environment.sroVersion());
            LoadPass pass = new LoadPass(pool);
            pass.run(resolution);
            Map<Candidate, PluginRejection> failed = new LinkedHashMap<>(resolution.unsatisfied());
            failed.putAll(pass.rejected());
            Set<Candidate> replaceable = failed.keySet().stream()
                    .filter(resolution::hasAlternative)
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            if (replaceable.isEmpty()) {
                rejections.addAll(resolution.rejections());
                rejections.addAll(pass.rejected().values());
                rejectedIds.addAll(resolution.rejectedIds());
                pass.rejected().keySet().forEach(candidate -> rejectedIds.add(candidate.id()));
                return pass;
            }
            candidates.removeAll(replaceable);
            failed.keySet().retainAll(replaceable);
            rejections.addAll(failed.values());
        }
    }

    private void keepLastGood(LoadPass pass) {
        Set<String> rejectedFiles =
                rejections.stream().map(PluginRejection::file).collect(Collectors.toSet());
        for (PluginIsland old : before.islands()) {
            boolean rejected = rejectedIds.contains(old.id())
                    || rejectedFiles.contains(old.candidate().file());
            if (rejected && pass.keep(old)) {
                rejections.replaceAll(rejection -> explainKept(rejection, old));
            }
        }
    }

    private static PluginRejection explainKept(PluginRejection rejection, PluginIsland old) {
        return rejection.file().equals(old.candidate().file())
                ? rejection.with("The copy of plugin " + old.id() + " "
                        + old.candidate().version() + " that was loaded before stays in use until SRO restarts.")
                : rejection;
    }
}
