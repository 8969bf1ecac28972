package dev.sro.core.module;

import dev.sro.api.resource.SpecialResourceModuleSpec;
import dev.sro.core.image.Image;
import dev.sro.core.image.Images;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.image.ReleasePayload;
import dev.sro.core.image.ToolkitRelease;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.LenientYaml;
import dev.sro.core.yaml.YamlException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the release and the kernels of what watched objects say. Blocks; thread-safe. */
public final class VersionResolver implements Versions {

    /** The update service of OpenShift. */
    static final String GRAPH = "https://api.openshift.com/api/upgrades_info/v1/graph";

    /** A full semantic version. */
    private static final Pattern VERSION =
            Pattern.compile("(\\d+\\.\\d+)\\.\\d+(?:-[0-9A-Za-z.-]+)?(?:\\+[0-9A-Za-z.-]+)?");

    /** Port: gets a text from a web server. May block. */
    public interface Web {
        /** @throws IOException if it cannot be had; the message says why */
        String get(String url) throws IOException;
    }

    private final Images images;
    private final Web web;

    /** Reads images, and the update service. */
    public VersionResolver(Images images, Web web) {
        this.images = images;
        this.web = web;
    }

    @Override
    public ModuleVersion resolve(
            String value, String architecture, SpecialResourceModuleSpec spec, RegistrySettings settings)
            throws IOException {
        Matcher version = VERSION.matcher(value);
        String image;
        if (version.matches()) {
            image = payload(value, version.group(1), architecture, spec);
        } else if (value.indexOf('@') >= 0 || value.indexOf(':') >= 0) {
            image = value;
        } else {
            throw new IOException("\"" + value + "\" is neither a version of OpenShift such as 4.12.3 nor an image");
        }
        ReleasePayload payload = ReleasePayload.read(images.open(image, architecture, settings));
        Image toolkit = images.open(payload.driverToolkit(), architecture, settings);
        Image.Found file = toolkit.file(ToolkitRelease.PATH)
                .orElseThrow(() -> new IOException("the driver toolkit " + toolkit.reference() + " of release "
                        + payload.version() + " has no /" + ToolkitRelease.PATH));
        return new ModuleVersion(
                value, payload.version(), image, payload.driverToolkit(), ToolkitRelease.parse(file, architecture));
    }

    /** The most careful channel that has the version counts. One that does not answer holds up no other. */
    private String payload(String version, String minor, String architecture, SpecialResourceModuleSpec spec)
            throws IOException {
        String graph = spec.getUpgradeGraph().isEmpty() ? GRAPH : spec.getUpgradeGraph();
        IOException last = null;
        for (String channel : List.of("stable-", "fast-", "candidate-")) {
            String url =
                    graph + (graph.contains("?") ? "&" : "?") + "channel=" + channel + minor + "&arch=" + architecture;
            try {
                Map<String, Object> answer = LenientYaml.map(url, web.get(url));
                for (Map<String, Object> node : ValueTrees.maps(answer, "nodes")) {
                    if (ValueTrees.text(node, "version").equals(version)) {
                        return ValueTrees.text(node, "payload");
                    }
                }
            } catch (IOException e) {
                last = e;
            } catch (YamlException e) {
                last = new IOException(url + " gives no JSON object", e);
            }
        }
        if (last != null) {
            throw new IOException(
                    "the release image of " + version + " cannot be found out: " + last.getMessage(), last);
        }
        throw new IOException("the update service " + graph + " does not know version " + version
                + "; correct it, or let the watched path lead to release images");
    }
}
