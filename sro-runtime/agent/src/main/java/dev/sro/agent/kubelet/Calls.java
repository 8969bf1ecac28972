package dev.sro.agent.kubelet;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** The calls between kubelet and plugins, with their names on the wire. Stateless. */
final class Calls {
    static final String REGISTRATION = "pluginregistration.Registration";
    static final String DRA_V1 = "k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin";
    static final String DRA_V1BETA1 = "k8s.io.kubelet.pkg.apis.dra.v1beta1.DRAPlugin";

    /** As they are told at registration; kubelet takes the first that it knows: v1 since 1.34. */
    static final List<String> VERSIONS = List.of("v1.DRAPlugin", "v1beta1.DRAPlugin");

    private Calls() {}

    /** A message without fields. */
    enum Empty {
        EMPTY
    }

    private interface Write<T> {
        WireWriter of(T value);
    }

    private interface Read<T> {
        T of(WireReader reader) throws IOException;
    }

    private record Marshaller<T>(Write<T> write, Read<T> read) implements MethodDescriptor.Marshaller<T> {
        @Override
        public InputStream stream(T value) {
            return new ByteArrayInputStream(write.of(value).bytes());
        }

        @Override
        public T parse(InputStream stream) {
            try {
                return read.of(new WireReader(stream.readAllBytes()));
            } catch (IOException e) {
                throw Status.INTERNAL
                        .withDescription("unreadable message: " + e.getMessage())
                        .withCause(e)
                        .asRuntimeException();
            }
        }
    }

    private static final Marshaller<Empty> EMPTY = new Marshaller<>(empty -> new WireWriter(), reader -> {
        while (reader.next()) {
            reader.skip();
        }
        return Empty.EMPTY;
    });

    private static final Marshaller<ClaimsRequest> CLAIMS = new Marshaller<>(ClaimsRequest::write, ClaimsRequest::read);

    static final MethodDescriptor<Empty, PluginInfo> GET_INFO =
            method(REGISTRATION, "GetInfo", EMPTY, new Marshaller<>(PluginInfo::write, PluginInfo::read));

    static final MethodDescriptor<RegistrationStatus, Empty> NOTIFY = method(
            REGISTRATION,
            "NotifyRegistrationStatus",
            new Marshaller<>(RegistrationStatus::write, RegistrationStatus::read),
            EMPTY);

    static final MethodDescriptor<Empty, List<PodResources.PodDevices>> POD_RESOURCES =
            method("v1.PodResourcesLister", "List", EMPTY, new Marshaller<>(PodResources::write, PodResources::read));

    static MethodDescriptor<ClaimsRequest, ClaimsResponse> prepare(String service) {
        return method(
                service,
                "NodePrepareResources",
                CLAIMS,
                new Marshaller<>(ClaimsResponse::writePrepared, ClaimsResponse::readPrepared));
    }

    static MethodDescriptor<ClaimsRequest, ClaimsResponse> unprepare(String service) {
        return method(
                service,
                "NodeUnprepareResources",
                CLAIMS,
                new Marshaller<>(ClaimsResponse::writeUnprepared, ClaimsResponse::readUnprepared));
    }

    private static <A, B> MethodDescriptor<A, B> method(
            String service, String name, Marshaller<A> request, Marshaller<B> response) {
        return MethodDescriptor.<A, B>newBuilder(request, response)
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
                .build();
    }
}
