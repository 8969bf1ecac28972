package dev.sro.agent.kubelet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Where kubelet finds a plugin. Immutable.
 *
 * @param registration socket of the registration, in {@code plugins_registry}
 * @param service socket of the service, in the plugin's own directory
 */
public record PluginSockets(Path registration, Path service) {
    /** Longest path of a Unix socket on Linux: {@code sun_path} has 108 bytes, one of them is the end. */
    private static final int LONGEST = 107;

    private static final int HASH_LENGTH = 16;

    /** Refuses paths that no socket can have. */
    public PluginSockets {
        checkLength(registration);
        checkLength(service);
    }

    static void checkLength(Path path) {
        if (path.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST) {
            throw new IllegalArgumentException(path + " is longer than the " + LONGEST
                    + " bytes that the path of a Unix socket may have; choose a shorter name of the driver");
        }
    }

    /**
     * As kubelet expects them.
     *
     * @param kubelet its directory, {@code /var/lib/kubelet}, the same inside and outside of the container
     * @param driver name of the driver
     * @param instance UID of the pod, where the old and the new pod of an update run side by side (Kubernetes 1.33 and later); only a hash
     *     of it is in the names, as they would be too long
     */
    public static PluginSockets of(Path kubelet, String driver, Optional<String> instance) {
        String middle = instance.map(uid -> "-" + hash(uid)).orElse("");
        return new PluginSockets(
                kubelet.resolve("plugins_registry").resolve(driver + middle + "-reg.sock"),
                kubelet.resolve("plugins").resolve(driver).resolve("dra" + middle + ".sock"));
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
