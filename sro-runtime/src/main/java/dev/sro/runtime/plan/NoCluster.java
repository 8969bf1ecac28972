package dev.sro.runtime.plan;

import dev.sro.core.recipe.source.ClusterFiles;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** There is no cluster that has ConfigMaps and Secrets: a chart that needs one cannot be had. Stateless. */
final class NoCluster implements ClusterFiles {

    @Override
    public Optional<Map<String, byte[]>> configMap(String namespace, String name) throws IOException {
        throw missing("ConfigMap", namespace, name);
    }

    @Override
    public Optional<Map<String, byte[]>> secret(String namespace, String name) throws IOException {
        throw missing("Secret", namespace, name);
    }

    private static IOException missing(String kind, String namespace, String name) {
        return new IOException(kind + " " + namespace + "/" + name
                + " is in a cluster, and with --nodes or --kernel none is asked; leave them out, or give --chart PATH");
    }
}
