package dev.sro.agent.cdi;

import dev.sro.agent.file.ForeignRoot;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The driver's libraries, programs and firmware in a container, as {@code nvidia-ctk cdi generate} puts them there, so that neither
 * NVIDIA's container runtime nor a RuntimeClass is needed. Looked for at the start, and again only when version or directories are
 * others. Thread-safe.
 *
 * <p>The driver is installed as {@code libcuda.so.580.65.06}; programs load {@code libcuda.so.1}, and the loader has to find it. There
 * are two ways:
 *
 * <ul>
 *   <li>With NVIDIA's hook on the host, libraries are where the driver has them, and the hook makes links and writes the loader's
 *       cache, as in NVIDIA's own specifications.
 *   <li>Without it, each library is mounted under each of its names into the directories that the loaders of Debian's and of Red Hat's
 *       families of images search without a cache, whichever of them the image is of. {@code LD_LIBRARY_PATH} would do it too, but a
 *       variable of a specification takes the place of the image's own.
 * </ul>
 */
public final class DriverEdits {
    private static final String RED_HAT = "/usr/lib64";
    private static final String SOCKET = "run/nvidia-persistenced/socket";

    private final DriverPlace place;
    private final ForeignRoot root;
    private final Supplier<String> version;
    private final List<String> loaders;
    private final Consumer<String> warnings;
    private final Consumer<String> log;
    private final ReentrantLock searching = new ReentrantLock();
    private Optional<Found> found = Optional.empty();

    /** {@code state} is that of version and directories in which it was found. */
    private record Found(List<String> state, DriverFiles files) {}

    /**
     * Looks for the files.
     *
     * @param version of the driver as it is now, such as {@code 580.65.06}
     * @param warnings takes a sentence about what no program can do without
     * @param log takes a sentence at a time
     */
    public DriverEdits(DriverPlace place, Supplier<String> version, Consumer<String> warnings, Consumer<String> log) {
        this(place, version, System.getProperty("os.arch", ""), warnings, log);
    }

    /** As on a machine of this architecture. */
    DriverEdits(
            DriverPlace place,
            Supplier<String> version,
            String architecture,
            Consumer<String> warnings,
            Consumer<String> log) {
        this.place = place;
        root = new ForeignRoot(place.root());
        this.version = version;
        boolean arm = architecture.equals("aarch64") || architecture.equals("arm64");
        loaders = List.of(arm ? "/usr/lib/aarch64-linux-gnu" : "/usr/lib/x86_64-linux-gnu", RED_HAT);
        this.warnings = warnings;
        this.log = log;
        DriverFiles unused = files();
    }

    /**
     * What a container gets.
     *
     * @param graphics whether with what is for graphics alone
     */
    CdiEdits of(boolean graphics) {
        DriverFiles files = files();
        List<DriverLibrary> libraries = files.libraries().stream()
                .filter(library -> graphics || !library.graphics())
                .toList();
        List<CdiMount> mounts = new ArrayList<>();
        List<CdiHook> hooks = new ArrayList<>();
        if (files.hook().isPresent() && !libraries.isEmpty()) {
            libraries.forEach(library -> mounts.add(mount(library, directory(library), library.name())));
            hooks.addAll(hooks(files.hook().get(), libraries));
        } else {
            libraries.forEach(library -> mounts.addAll(everywhere(library)));
        }
        mounts.addAll(files.files());
        if (graphics) {
            mounts.addAll(files.graphics());
        }
        // It comes and goes with its daemon, and a container does not start with a mount of what is not there.
        root.real(SOCKET)
                .ifPresent(real ->
                        mounts.add(CdiMount.socket(place.onHost().resolve(real).toString(), "/" + SOCKET)));
        return new CdiEdits(Map.of(), List.of(), mounts, hooks);
    }

    private CdiMount mount(DriverLibrary library, String directory, String name) {
        return DriverFiles.mount(place, library.real(), directory + "/" + name);
    }

    /** A root that is a bare directory of libraries says nothing of where containers look. */
    private String directory(DriverLibrary library) {
        return library.directory().equals("/") ? RED_HAT : library.directory();
    }

    private List<CdiMount> everywhere(DriverLibrary library) {
        List<CdiMount> mounts = new ArrayList<>();
        for (String directory : loaders) {
            mounts.add(mount(library, directory, library.name()));
            library.links().forEach(name -> mounts.add(mount(library, directory, name)));
        }
        return mounts;
    }

    private List<CdiHook> hooks(String path, List<DriverLibrary> libraries) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        List<String> symlinks = new ArrayList<>(List.of(name, "create-symlinks"));
        List<String> cache = new ArrayList<>(List.of(name, "update-ldcache"));
        Set<String> directories = new LinkedHashSet<>();
        for (DriverLibrary library : libraries) {
            directories.add(directory(library));
            String target = library.name();
            for (String link : library.links()) {
                symlinks.add("--link");
                symlinks.add(target + "::" + directory(library) + "/" + link);
                target = link;
            }
        }
        for (String directory : directories) {
            cache.add("--folder");
            cache.add(directory);
        }
        return List.of(new CdiHook(path, symlinks), new CdiHook(path, cache));
    }

    private DriverFiles files() {
        String now = version.get();
        List<String> state = state(now);
        searching.lock();
        try {
            if (found.isPresent() && found.get().state().equals(state)) {
                return found.get().files();
            }
            DriverFiles files = DriverFiles.find(place, now);
            if (!found.map(Found::files).equals(Optional.of(files))) {
                tell(files);
            }
            // One that is being replaced: containers had better wait for its files than start without them.
            DriverFiles taken = found.map(Found::files)
                    .filter(before -> before.version().equals(now)
                            && before.missing().isEmpty()
                            && !files.missing().isEmpty())
                    .orElse(files);
            found = Optional.of(new Found(state, taken));
            return taken;
        } finally {
            searching.unlock();
        }
    }

    /** Some stats, so that a claim costs no search. */
    private List<String> state(String now) {
        List<String> state = new ArrayList<>(List.of(now));
        DriverLibraries.directories().forEach(directory -> state.add(String.valueOf(root.changed(directory))));
        place.host()
                .map(ForeignRoot::new)
                .ifPresent(host -> place.hooks()
                        .forEach(hook ->
                                state.add(String.valueOf(host.realFile(hook).isPresent()))));
        return state;
    }

    private void tell(DriverFiles files) {
        log.accept("driver " + files.version() + " below " + place.root() + " (" + place.onHost() + " of the host): "
                + files.libraries().size() + " libraries, " + files.files().size() + " other files for containers; "
                + files.hook()
                        .map(hook -> "loaders find them by " + hook)
                        .orElse("no nvidia-cdi-hook on the host, so they are mounted where loaders look"));
        for (String name : files.missing()) {
            warnings.accept(
                    "no " + name + " below " + place.root() + ": containers do not get it, and CUDA does not work"
                            + " in them; is the driver installed whole, and this its root?");
        }
        if (!files.absent().isEmpty()) {
            log.accept("not below " + place.root() + ", so not in containers: " + String.join(", ", files.absent()));
        }
    }
}
