package dev.sro.runtime.plan.access;

import dev.sro.core.client.account.Impersonation;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import dev.sro.runtime.Clients;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.authorization.v1.NonResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributesBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks the API server, once for each question: by SubjectAccessReview, and where whoever runs the command may not, by a
 * SelfSubjectAccessReview as the account. Nothing is stored by either. Confined to one thread.
 */
public final class ClusterAccess implements Access {

    private record Question(RecipeAccount account, Right right) {}

    private final KubernetesClient client;
    private final Map<Question, Boolean> answers = new HashMap<>();
    private final Map<String, Map<String, String>> plurals = new HashMap<>();
    private final Map<String, Optional<List<PolicyRule>>> roles = new HashMap<>();
    private boolean asAccount;
    private String refused = "";

    /** Asks by this client. */
    public ClusterAccess(KubernetesClient client) {
        this.client = client;
    }

    @Override
    public boolean may(RecipeAccount account, Right right) throws UnansweredException {
        Question question = new Question(account, right);
        Boolean known = answers.get(question);
        if (known == null) {
            known = ask(account, right);
            answers.put(question, known);
        }
        return known;
    }

    private boolean ask(RecipeAccount account, Right right) throws UnansweredException {
        if (!refused.isEmpty()) {
            throw new UnansweredException(refused);
        }
        try {
            if (!asAccount) {
                return about(account, right);
            }
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw unanswered(e);
            }
            asAccount = true;
        }
        try {
            return as(account, right);
        } catch (KubernetesClientException e) {
            throw unanswered(e);
        }
    }

    private UnansweredException unanswered(KubernetesClientException e) {
        // The next question would have the same answer.
        refused = e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                ? "you may neither create subjectaccessreviews.authorization.k8s.io nor impersonate the account: "
                        + Clients.message(e)
                : Clients.message(e);
        return new UnansweredException(refused);
    }

    private boolean about(RecipeAccount account, Right right) {
        return client.authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(account.user())
                        // Those that the API server gives to the token of a service account, and to who acts as one.
                        .withGroups(
                                "system:serviceaccounts",
                                "system:serviceaccounts:" + account.namespace(),
                                "system:authenticated")
                        .withResourceAttributes(attributes(right))
                        .withNonResourceAttributes(path(right))
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed();
    }

    private boolean as(RecipeAccount account, Right right) {
        return Impersonation.as(account, client)
                .authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(new SelfSubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withResourceAttributes(attributes(right))
                        .withNonResourceAttributes(path(right))
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed();
    }

    private static @Nullable NonResourceAttributes path(Right right) {
        return right.isPath() ? new NonResourceAttributes(right.resource(), right.verb()) : null;
    }

    private static @Nullable ResourceAttributes attributes(Right right) {
        if (right.isPath()) {
            return null;
        }
        int slash = right.resource().indexOf('/');
        ResourceAttributesBuilder builder = new ResourceAttributesBuilder()
                .withGroup(right.group())
                .withResource(slash < 0 ? right.resource() : right.resource().substring(0, slash))
                .withVerb(right.verb());
        if (slash >= 0) {
            builder.withSubresource(right.resource().substring(slash + 1));
        }
        if (!right.namespace().isEmpty()) {
            builder.withNamespace(right.namespace());
        }
        if (!right.name().isEmpty()) {
            builder.withName(right.name());
        }
        return builder.build();
    }

    @Override
    public Optional<List<PolicyRule>> role(String namespace, String name) throws UnansweredException {
        String key = namespace + "/" + name;
        Optional<List<PolicyRule>> known = roles.get(key);
        if (known == null) {
            try {
                known = read(namespace, name);
            } catch (KubernetesClientException e) {
                throw new UnansweredException(Clients.message(e));
            }
            roles.put(key, known);
        }
        return known;
    }

    private Optional<List<PolicyRule>> read(String namespace, String name) {
        return namespace.isEmpty()
                ? Optional.ofNullable(
                                client.rbac().clusterRoles().withName(name).get())
                        .map(ClusterRole::getRules)
                : Optional.ofNullable(client.rbac()
                                .roles()
                                .inNamespace(namespace)
                                .withName(name)
                                .get())
                        .map(Role::getRules);
    }

    @Override
    public Optional<String> plural(ObjectRef object) {
        return Optional.ofNullable(
                plurals.computeIfAbsent(object.apiVersion(), this::served).get(object.kind()));
    }

    private Map<String, String> served(String apiVersion) {
        Map<String, String> byKind = new HashMap<>();
        try {
            APIResourceList list = client.getApiResources(apiVersion);
            if (list != null) {
                list.getResources().stream()
                        .filter(resource -> !resource.getName().contains("/"))
                        .forEach(resource -> byKind.put(resource.getKind(), resource.getName()));
            }
        } catch (KubernetesClientException e) {
            // What is not served is named as Kubernetes would.
            return byKind;
        }
        return byKind;
    }
}
