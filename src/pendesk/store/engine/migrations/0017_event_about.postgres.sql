UPDATE events SET about_user_id = coalesce(
  (SELECT u.id FROM users u WHERE u.id = events.object_id), data::json ->> 'user')
WHERE kind IN ('user.password_set', 'user.linked', 'token.created', 'token.handed_over', 'token.revoked', 'grant.created',
  'grant.revoked', 'sign_in_link.created', 'session.started', 'session.ended', 'invite.created', 'invite.revoked');
