package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiCallTest {
    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/nodes, list, nodes",
        "GET, /api/v1/nodes?watch=true&limit=1, watch, nodes",
        "GET, /api/v1/nodes/a, get, nodes",
        "PATCH, /api/v1/nodes/a/status, patch, nodes/status",
        "GET, /api/v1/namespaces, list, namespaces",
        "PATCH, /api/v1/namespaces/x, patch, namespaces",
        "PATCH, /api/v1/namespaces/x/status, patch, namespaces/status",
        "GET, /api/v1/namespaces/x/pods, list, pods",
        "POST, /api/v1/namespaces/x/pods/y/eviction, create, pods/eviction",
        "PATCH, /apis/apps/v1/namespaces/x/daemonsets/y, patch, daemonsets.apps",
        "DELETE, /apis/apps/v1/namespaces/x/daemonsets/y, delete, daemonsets.apps",
        "DELETE, /apis/apps/v1/namespaces/x/daemonsets, deletecollection, daemonsets.apps",
        "PUT, /apis/coordination.k8s.io/v1/namespaces/x/leases/y, update, leases.coordination.k8s.io",
        "PATCH, /apis/sro.openshift.io/v1beta1/specialresources/a/status, patch, specialresources.sro.openshift.io/status",
        "GET, /apis/apps/v1, get, ''",
        "GET, /api/v1, get, ''",
        "GET, /version, get, ''",
    })
    void saysWhatARequestAsksFor(String method, String path, String verb, String resource) {
        assertThat(ApiCall.of(method, URI.create("http://server" + path))).isEqualTo(new ApiCall(verb, resource));
    }
}
