package dev.sro.testkit.server;

import org.jspecify.annotations.Nullable;

/**
 * Who makes a request: the account of a token that this server gave out, whom that account acts as, or the administrator, whatever else
 * he shows. Thread-safe.
 */
final class Authentication {
    private final AccountTokens tokens;
    private final Impersonation impersonation;

    Authentication(AccountTokens tokens, Authorizer authorizer) {
        this.tokens = tokens;
        this.impersonation = new Impersonation(authorizer);
    }

    /**
     * The request in the name of its user.
     *
     * @throws ApiException 401 for a token that is not valid any more, 403 where its account may not act as the user that it names
     */
    ApiRequest identified(ApiRequest request, @Nullable RequestPath path, String verb) {
        String token = request.token();
        if (token == null || !AccountTokens.isOne(token)) {
            return request;
        }
        ApiRequest.Identity account = account(token);
        ApiRequest.Identity wanted = request.identity();
        if (wanted == null) {
            return request.withIdentity(account);
        }
        impersonation.check(Subject.of(account), account, wanted, Authorizer.attributes(request, path, verb));
        return request;
    }

    private ApiRequest.Identity account(String token) {
        try {
            AccountTokens.Account account = tokens.read(token);
            if (account.audiences().contains(AccountTokens.AUDIENCE)) {
                return account.identity();
            }
        } catch (AccountTokens.InvalidTokenException e) {
            // As for one that is for others: the client is not told more.
            throw Errors.unauthorized(e);
        }
        throw Errors.unauthorized(null);
    }
}
