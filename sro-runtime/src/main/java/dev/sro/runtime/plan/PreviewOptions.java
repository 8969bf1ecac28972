package dev.sro.runtime.plan;

import dev.sro.core.model.RecipeAccount;
import dev.sro.core.model.RecipeAccounts;
import dev.sro.runtime.ClusterOptions;
import dev.sro.runtime.PluginOptions;
import dev.sro.runtime.UnusableInputException;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Which special resources, and for which nodes: those of files, or those of a cluster. For every command that looks ahead. Filled
 * by the command line parser.
 */
public final class PreviewOptions {

    /** What the cluster of the files is. */
    enum Platform {
        /** Kubernetes as it is. */
        KUBERNETES,
        /** With OpenShift's kinds. */
        OPENSHIFT
    }

    /** Of the Kubernetes whose kinds a cluster of files has. */
    private static final String DEFAULT_VERSION = "v1.36.2";

    @Parameters(
            arity = "0..*",
            paramLabel = "NAME",
            description = "Special resources of the cluster. Default, without -f: all of them.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description =
                    "One or more special resources, YAML or JSON; - for standard input. With a cluster: instead of"
                            + " what the cluster has under the same name.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--nodes",
            paramLabel = "FILE",
            description =
                    "The nodes, as \"kubectl get nodes -o yaml\" prints them; - for standard input. Without --nodes"
                            + " and --kernel the cluster of the kubeconfig is asked.")
    private @Nullable Path nodes;

    @Option(
            names = "--kernel",
            paramLabel = "RELEASE",
            description = "Instead of --nodes: one node with this kernel, as uname -r prints it, and the labels of"
                    + " spec.nodeSelector. May be repeated.")
    private List<String> kernels = new ArrayList<>();

    @Option(
            names = "--os-image",
            paramLabel = "NAME",
            description =
                    "Operating system of the nodes of --kernel, for example \"Ubuntu 22.04.3 LTS\". Default: the RHEL"
                            + " that the kernel names.")
    private String osImage = "";

    @Option(names = "--node-label", paramLabel = "KEY=VALUE", description = "Further label of the nodes of --kernel.")
    private Map<String, String> nodeLabels = new LinkedHashMap<>();

    @Option(
            names = "--observed",
            paramLabel = "FILE",
            description =
                    "With --nodes or --kernel: what exists already, which is objects with SRO's labels, their pods,"
                            + " namespaces and definitions. Default: nothing.")
    private @Nullable Path observed;

    @Option(
            names = "--chart",
            paramLabel = "PATH",
            description =
                    "With --nodes or --kernel: a chart's folder or archive here, instead of the one of its name in"
                            + " the special resource's repository.")
    private @Nullable Path chart;

    @Option(
            names = "--platform",
            paramLabel = "PLATFORM",
            description = "With --nodes or --kernel: kubernetes or openshift. Default: kubernetes.")
    private @Nullable Platform platform;

    @Option(
            names = "--kubernetes-version",
            paramLabel = "VERSION",
            description = "With --nodes or --kernel: what charts are told. Default: " + DEFAULT_VERSION + ".")
    private String kubernetesVersion = "";

    @Option(
            names = "--recipe-account",
            paramLabel = "NAME",
            defaultValue = "${env:SRO_RECIPE_ACCOUNT}",
            description = "As the operator has it: by whose rights charts and numbered manifests are applied; empty for"
                    + " those of the operator. Default: sro-recipe; with --nodes or --kernel those of the"
                    + " operator.")
    private @Nullable String recipeAccount;

    @Mixin
    private ImageOptions images = new ImageOptions();

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    /** Filled by the command line parser. */
    public PreviewOptions() {}

    /**
     * Reads the files, or connects to the cluster; the caller closes it.
     *
     * @throws UnusableInputException if options do not go together, or something cannot be read
     */
    public PreviewSource open() {
        if (nodes == null && kernels.isEmpty()) {
            refuse("--observed", observed != null);
            refuse("--platform", platform != null);
            refuse("--kubernetes-version", !kubernetesVersion.isEmpty());
            refuse("--chart", chart != null);
            refuse("--os-image", !osImage.isEmpty());
            refuse("--node-label", !nodeLabels.isEmpty());
            return ClusterSource.open(cluster.config(), withAccounts(), names);
        }
        if (!names.isEmpty()) {
            throw new UnusableInputException(
                    names.get(0),
                    "names a special resource of a cluster, and with --nodes or --kernel none is asked; give -f FILE");
        }
        if (nodes != null && !kernels.isEmpty()) {
            throw new UnusableInputException("--kernel", "does not go with --nodes; leave one of them out");
        }
        if (files.isEmpty()) {
            throw new UnusableInputException(
                    "-f", "is needed with --nodes and --kernel: the file with the special resource");
        }
        return FileSource.open(this);
    }

    /** With special resources of these files as well. */
    public PreviewOptions about(List<Path> more) {
        files.addAll(more);
        return this;
    }

    /** The cluster. */
    public Config config() {
        return cluster.config();
    }

    /** By whose rights recipes are applied where the cluster is one of files: as in a cluster unless told otherwise. */
    public PreviewOptions withAccounts() {
        recipeAccount = Objects.requireNonNullElse(recipeAccount, RecipeAccount.DEFAULT);
        return this;
    }

    RecipeAccounts accounts() {
        return new RecipeAccounts(Objects.requireNonNullElse(recipeAccount, ""));
    }

    private static void refuse(String option, boolean given) {
        if (given) {
            throw new UnusableInputException(
                    option,
                    "needs --nodes FILE or --kernel RELEASE; without them the cluster of the kubeconfig is asked");
        }
    }

    /** How to grant what the recipes need. */
    String fix() {
        String file = files.isEmpty() ? "special-resource.yaml" : files.get(0).toString();
        return "sro rbac --for " + (file.equals("-") ? "special-resource.yaml" : file) + " --apply";
    }

    List<Document> documents() {
        return Document.read(files);
    }

    List<Document> nodes() {
        return nodes == null ? List.of() : Document.read(nodes);
    }

    List<Document> observed() {
        return observed == null ? List.of() : Document.read(observed);
    }

    List<String> kernels() {
        return kernels;
    }

    String osImage() {
        return osImage;
    }

    Map<String, String> nodeLabels() {
        return nodeLabels;
    }

    Optional<Path> chart() {
        return Optional.ofNullable(chart);
    }

    boolean isOpenShift() {
        return platform == Platform.OPENSHIFT;
    }

    String kubernetesVersion() {
        return kubernetesVersion.isEmpty() ? DEFAULT_VERSION : kubernetesVersion;
    }

    ImageOptions images() {
        return images;
    }

    /** Where plugins are. */
    public PluginOptions plugins() {
        return plugins;
    }
}
