package dev.sro.agent.cdi;

import dev.sro.agent.file.Disk;
import dev.sro.agent.file.JsonText;
import dev.sro.agent.file.WholeFile;
import dev.sro.agent.slice.ClaimFiles;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.Holding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One file per claim, with all devices of the claim, so that what they have in common is put into a container once. Names of devices
 * begin with the claim's UID: container runtimes read files again only for names that they do not know. Thread-safe for different
 * claims.
 */
public final class ClaimSpecs implements ClaimFiles {
    /** Vendor and class of all names. */
    public static final String KIND = "sro.dev/slice";

    /** The lowest version that has device names which begin with a digit, as UIDs do. */
    private static final String VERSION = "0.5.0";

    private static final Pattern FILE = Pattern.compile("sro\\.dev-slice_([A-Za-z0-9-]{1,100})\\.json");
    private static final Pattern UID = Pattern.compile("[A-Za-z0-9-]{1,100}");

    private final Disk disk;
    private final Path directory;
    private final DeviceEdits edits;

    /**
     * Writes into this directory.
     *
     * @param directory {@code /var/run/cdi}
     */
    public ClaimSpecs(Disk disk, Path directory, DeviceEdits edits) {
        this.disk = disk;
        this.directory = directory.toAbsolutePath();
        this.edits = edits;
    }

    /** The name by which container runtimes are asked for it. */
    public static String id(Holding slice) {
        return KIND + "=" + name(slice);
    }

    /** The same, of a device that a claim is to have: it does not depend on what is made. */
    public static String id(String uid, String device) {
        return KIND + "=" + uid + "-" + device;
    }

    private static String name(Holding slice) {
        return slice.claim().uid() + "-" + slice.device();
    }

    private WholeFile file(String uid) throws IOException {
        if (!UID.matcher(uid).matches()) {
            throw new IOException("\"" + uid + "\" is no UID of a claim");
        }
        return new WholeFile(disk, directory.resolve("sro.dev-slice_" + uid + ".json"));
    }

    @Override
    public boolean write(ClaimRef claim, List<Holding> slices) throws IOException {
        WholeFile file = file(claim.uid());
        byte[] bytes = JsonText.of(tree(slices)).getBytes(StandardCharsets.UTF_8);
        if (file.read().filter(old -> Arrays.equals(old, bytes)).isPresent()) {
            return false;
        }
        file.write(bytes);
        return true;
    }

    private Map<String, Object> tree(List<Holding> slices) throws IOException {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("cdiVersion", VERSION);
        tree.put("kind", KIND);
        List<Object> devices = new ArrayList<>();
        for (Holding slice : slices) {
            Map<String, Object> device = new LinkedHashMap<>();
            device.put("name", name(slice));
            device.put("containerEdits", tree(edits.of(slice)));
            devices.add(device);
        }
        tree.put("devices", devices);
        tree.put("containerEdits", tree(edits.common(slices)));
        return tree;
    }

    private static Map<String, Object> tree(CdiEdits edits) {
        Map<String, Object> tree = new LinkedHashMap<>();
        if (!edits.environment().isEmpty()) {
            List<String> variables = new ArrayList<>();
            new TreeMap<>(edits.environment()).forEach((name, value) -> variables.add(name + "=" + value));
            tree.put("env", variables);
        }
        if (!edits.nodes().isEmpty()) {
            tree.put(
                    "deviceNodes",
                    edits.nodes().stream().map(path -> Map.of("path", path)).toList());
        }
        if (!edits.mounts().isEmpty()) {
            tree.put("mounts", edits.mounts().stream().map(ClaimSpecs::tree).toList());
        }
        if (!edits.hooks().isEmpty()) {
            tree.put("hooks", edits.hooks().stream().map(ClaimSpecs::tree).toList());
        }
        return tree;
    }

    private static Map<String, Object> tree(CdiMount mount) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("hostPath", mount.hostPath());
        tree.put("containerPath", mount.containerPath());
        tree.put("options", mount.options());
        return tree;
    }

    private static Map<String, Object> tree(CdiHook hook) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("hookName", "createContainer");
        tree.put("path", hook.path());
        tree.put("args", hook.arguments());
        return tree;
    }

    @Override
    public void remove(String uid) throws IOException {
        if (UID.matcher(uid).matches() && file(uid).read().isPresent()) {
            file(uid).delete();
        }
    }

    @Override
    public Set<String> claims() throws IOException {
        Set<String> uids = new TreeSet<>();
        for (Path path : disk.list(directory)) {
            Matcher matcher = FILE.matcher(String.valueOf(path.getFileName()));
            if (matcher.matches()) {
                uids.add(matcher.group(1));
            }
        }
        return uids;
    }
}
