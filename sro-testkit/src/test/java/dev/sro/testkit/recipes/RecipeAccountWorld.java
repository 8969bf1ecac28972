package dev.sro.testkit.recipes;

import dev.sro.core.client.rights.ClientRules;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.model.RecipeAccount;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;

/** A cluster with recipes that are applied by accounts of their own. */
abstract class RecipeAccountWorld extends StateFileWorld {
    static final String SETTINGS = "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}";

    @BeforeEach
    void installWithAccounts() {
        role(AccountManifests.ROLE, ClientRules.recipes().toArray(PolicyRule[]::new));
        sandbox.recipeAccount(RecipeAccount.DEFAULT);
        sandbox.kill();
        sandbox.start();
    }

    void role(String name, PolicyRule... rules) {
        sandbox.client()
                .resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withRules(rules)
                        .build())
                .create();
    }

    void recipe(String... states) {
        special("kmod", "", states);
    }

    void special(String name, String more, String... states) {
        Map<String, String> files = new TreeMap<>();
        for (int i = 0; i < states.length; i++) {
            files.put((i + 1) + "000-state.yaml", states[i]);
        }
        if (sandbox.client().namespaces().withName("kmod").get() == null) {
            namespace("kmod");
        }
        put(map("kmod", name, files));
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %s}
            spec: {namespace: kmod%s}
            """.formatted(name, more));
    }

    String reason() {
        return condition("kmod", "Degraded").orElseThrow().getReason();
    }

    String message() {
        return condition("kmod", "Degraded").orElseThrow().getMessage();
    }

    ConfigMap settings() {
        return sandbox.client()
                .configMaps()
                .inNamespace("kmod")
                .withName("settings")
                .get();
    }
}
