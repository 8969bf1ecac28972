package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.core.cel.CelAuthorizer;
import dev.sro.testkit.schema.AdmissionExpressions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers the expressions of admission that ask what somebody may do. Called with the store's lock held. */
final class AdmissionQuestions {
    private final Authorizer authorizer;

    AdmissionQuestions(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    /**
     * Expressions on the values of a write, which may ask about whoever makes it.
     *
     * @param variables expressions by name
     */
    AdmissionExpressions expressions(
            Map<String, @Nullable JsonNode> inputs, AdmissionAttributes attributes, Map<String, String> variables) {
        WriteCall call = attributes.call();
        String namespace = call.namespace == null ? "" : call.namespace;
        Gvr resource = attributes.resource();
        CelAuthorizer.Question own = new CelAuthorizer.Question(
                "", "", "", resource.group(), resource.plural(), call.subresource, namespace, call.requestName());
        return new AdmissionExpressions(
                inputs, question -> decide(AdmissionRequests.subject(call.identity), question), own, variables);
    }

    private CelAuthorizer.Decision decide(Subject requester, CelAuthorizer.Question question) {
        Subject subject = question.account().isEmpty() ? requester : account(question.account());
        Authorizer.Attributes wanted = question.path().isEmpty()
                ? new Authorizer.Attributes(
                        question.verb(),
                        question.group(),
                        question.resource(),
                        question.subresource(),
                        question.namespace().isEmpty() ? null : question.namespace(),
                        question.name(),
                        "")
                : Authorizer.Attributes.ofPath(question.verb(), question.path());
        Authorizer.Decision decision = authorizer.decide(subject, wanted);
        return new CelAuthorizer.Decision(decision.allowed(), decision.reason());
    }

    private static Subject account(String account) {
        String namespace = account.substring(0, account.indexOf('/'));
        return new Subject(
                "system:serviceaccount:" + account.replace('/', ':'),
                List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace));
    }
}
