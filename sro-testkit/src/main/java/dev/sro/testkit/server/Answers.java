package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts objects and lists into the form that a client accepts. */
final class Answers {
    /** How a single object is written for a request; null for the plain form of the stored version. */
    @Nullable Function<Stored, byte[]> form(ApiRequest request, ResourceType type) {
        if (type.gvr().equals(type.storage()) && !type.custom()) {
            return null;
        }
        return stored -> Render.object(stored, type.apiVersion());
    }

    ApiResponse object(ApiRequest request, ResourceType type, int code, Stored stored) {
        return ApiResponse.json(code, Render.object(stored, type.apiVersion()));
    }

    ApiResponse list(ApiRequest request, ResourceType type, Reader.Page page) {
        Render.ListHead head = new Render.ListHead(
                type.listKind(),
                type.apiVersion(),
                Long.toString(page.version()),
                page.continueToken(),
                page.remaining(),
                type.custom());
        return ApiResponse.json(200, Render.list(head, page.items()));
    }

    /** The Status that answers a delete. */
    static ObjectNode deleted(ResourceType type, String name, String uid) {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Success");
        ObjectNode details = Errors.named(type.gvr(), name);
        details.put("uid", uid);
        status.set("details", details);
        return status;
    }
}
