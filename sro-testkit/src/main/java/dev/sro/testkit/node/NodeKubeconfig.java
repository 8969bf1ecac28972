package dev.sro.testkit.node;

/** How what runs on a node comes to the API server. Stateless. */
final class NodeKubeconfig {
    private NodeKubeconfig() {}

    /**
     * A kubeconfig.
     *
     * @param authority a file that both sides see
     */
    static String of(String authority, String token) {
        return """
            apiVersion: v1
            kind: Config
            current-context: node
            contexts: [{name: node, context: {cluster: node, user: node}}]
            clusters: [{name: node, cluster: {server: "https://10.96.0.1", certificate-authority: "%s"}}]
            users: [{name: node, user: {token: "%s"}}]
            """.formatted(authority, token);
    }
}
