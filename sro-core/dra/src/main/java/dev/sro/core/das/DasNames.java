package dev.sro.core.das;

import dev.sro.core.slicing.mig.MigResources;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** Names that users of DAS know, and those that are added to them. Stateless. */
public final class DasNames {
    /** Group of the objects. */
    public static final String GROUP = "inference.redhat.com";

    /** Their one version. */
    public static final String VERSION = "v1alpha1";

    /** Group and version as objects have them. */
    public static final String API_VERSION = GROUP + "/" + VERSION;

    /** Kind of claims; {@code alloc} is their short name. */
    public static final String CLAIM = "AllocationClaim";

    /** Plural of claims. */
    public static final String CLAIMS = "allocationclaims";

    /** Kind of what a node has. */
    public static final String NODE = "NodeAccelerator";

    /** Plural of it. */
    public static final String NODES = "nodeaccelerators";

    /** Where DAS keeps all of its objects. Claims of our own are where their pod is, as owners are looked for there alone. */
    public static final String NAMESPACE = "das-operator";

    /** How DAS's names of resources begin: {@code mig.das.com/1g.5gb}. */
    public static final String RESOURCES = "mig.das.com/";

    /** The agent's, on a claim of which the node has hardware: the claim goes when that is gone, so that its place never looks free before. */
    public static final String FINALIZER = "slices.sro.dev/hardware";

    /**
     * On a claim of DAS whose slice DAS made and somebody else looks after now: when its pod has ended the agent destroys the slice, and then the claim
     * goes.
     */
    public static final String TAKEN_OVER = "slices.sro.dev/taken-over";

    /** Label of claims: name of the node, where it is short enough for a label; what lists claims of one node selects by it. */
    public static final String NODE_LABEL = "slices.sro.dev/node";

    private static final int LONGEST_NAME = 253;
    private static final int LONGEST_LABEL = 63;
    private static final int HASH_LENGTH = 10;
    private static final String PLUS = "-plus-";

    private DasNames() {}

    /** The resource of a profile: {@code 1g.5gb+me} is {@code mig.das.com/1g.5gb-plus-me}. */
    public static String resource(String profile) {
        return RESOURCES + profile.replace("+", PLUS);
    }

    /**
     * The profile of a resource, in DAS's spelling ({@code mig.das.com/1g.5gb-plus-me}, {@code mig.das.com/mig-1g.5gb}) or NVIDIA's
     * ({@code nvidia.com/mig-1g.5gb.me}).
     *
     * @return empty if it is no slice: {@code nvidia.com/gpu}, for instance
     */
    public static Optional<String> profile(String resource) {
        return MigResources.profile(resource.startsWith(RESOURCES) ? resource.replace(PLUS, "+") : resource);
    }

    /**
     * The name of a claim, as DAS makes it.
     *
     * @param container for which it is
     * @param number of the slice in the container, from 0
     */
    public static String claim(String podUid, String node, String container, int number) {
        String name = podUid + "-" + node + "-" + container + "-" + number;
        return name.length() <= LONGEST_NAME ? name : podUid + "-" + hash(node) + "-" + container + "-" + number;
    }

    /** The value of {@link #NODE_LABEL} for a node. */
    public static String nodeLabel(String node) {
        return node.length() <= LONGEST_LABEL
                ? node
                : node.substring(0, LONGEST_LABEL - HASH_LENGTH - 2).replaceAll("[^A-Za-z0-9]+$", "") + "--"
                        + hash(node);
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
